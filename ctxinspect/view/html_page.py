"""A report page: one self-contained HTML file without scripts, with a policy that lets nothing be loaded or run.

Every text that is not ours goes through `text`, which makes hidden characters visible and escapes everything else. The
page takes light and dark from the reader's system, is read on a phone, and prints in black on white.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ctxinspect.text.sanitize import sanitize_lines

__all__ = ["anchor", "page", "table", "text"]

_STYLE = """
:root{--paper:#fff;--ink:#1b1f24;--dim:#57606a;--line:#d0d7de;--soft:#f3f5f7;--tools:#8250df;--system:#0b6bcb;
--history:#2da44e;--current:#bf6a02;--left:#e4e8ec;--reused:#2da44e;--fresh:#bf6a02;--error:#b3261e;--warning:#8a5a00}
@media (prefers-color-scheme:dark){:root{--paper:#0e1116;--ink:#e6e9ee;--dim:#9aa4b0;--line:#363d47;--soft:#181d24;
--tools:#b794f6;--system:#5aa9f5;--history:#57c878;--current:#f0a646;--left:#2a313a;--reused:#57c878;--fresh:#f0a646;
--error:#ff8a80;--warning:#f3c969}}
*{box-sizing:border-box}
html{color-scheme:light dark;-webkit-text-size-adjust:100%}
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;margin:0;background:var(--paper);color:var(--ink)}
main{max-width:72rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.2rem;overflow-wrap:anywhere}
h3{font-size:1rem;margin:1rem 0 .25rem;overflow-wrap:anywhere}
p{margin:.4rem 0;overflow-wrap:anywhere}a{color:var(--system)}
pre{font:13px/1.45 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0;
padding:.5rem .7rem;background:var(--soft);border-radius:4px}
.wide{overflow-x:auto;margin:.4rem 0}
table{border-collapse:collapse;width:100%;font-size:.9rem}
td,th{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;border-bottom:1px solid var(--line)}
td{overflow-wrap:break-word}td:last-child{overflow-wrap:anywhere;min-width:6rem}th{color:var(--dim);font-weight:600;white-space:nowrap}
figure{margin:1rem 0}figcaption{font-weight:600;margin-bottom:.3rem}
.note{color:var(--dim);font-size:.9rem}.error{color:var(--error);font-weight:600}.warning{color:var(--warning)}
.legend span{display:inline-block;margin-right:1rem;font-size:.9rem}.legend svg{width:.8em;height:.8em;margin-right:.35em}
.rows{display:grid;grid-template-columns:11rem 1fr 7.5rem;gap:.15rem .6rem;align-items:center;font-size:.9rem}
.rows.short{grid-template-columns:4rem 1fr 5rem}.rows span{overflow-wrap:anywhere}.rows svg{width:100%;height:1.1rem;display:block}
.number{text-align:right;font-variant-numeric:tabular-nums}
.columns svg{width:100%;height:11rem;display:block;background:var(--soft)}.strip svg{height:1.6rem}
.ends{display:flex;justify-content:space-between;color:var(--dim);font-size:.85rem}
.tools{fill:var(--tools)}.system{fill:var(--system)}.history{fill:var(--history)}.current{fill:var(--current)}
.left{fill:var(--left)}.answer{fill:#8b949e}.reused{fill:var(--reused)}.fresh{fill:var(--fresh)}.budget{fill:var(--ink)}
rect.error{fill:var(--error)}rect.warning{fill:var(--warning)}.start{fill:var(--system)}.continue{fill:var(--history)}.switch{fill:var(--current)}.none{fill:var(--left)}
@media (max-width:34rem){main{padding:.7rem}.rows{grid-template-columns:6.5rem 1fr 5rem;gap:.15rem .4rem}
.rows.short{grid-template-columns:3.5rem 1fr 3.5rem}td,th{padding-right:.4rem}
.cards thead{display:none}.cards tr{display:block;border-bottom:1px solid var(--line);padding:.3rem 0}
.cards td{display:inline-block;border:0;padding:0 .6rem 0 0}.cards td:last-child{display:block}}
@media print{:root{--paper:#fff;--ink:#000;--dim:#444;--line:#999;--soft:#f3f5f7;--tools:#8250df;--system:#0b6bcb;
--history:#2da44e;--current:#bf6a02;--left:#e4e8ec;--reused:#2da44e;--fresh:#bf6a02;--error:#900;--warning:#640}
html{color-scheme:light}main{max-width:none;padding:0}pre{border:1px solid var(--line)}
svg{-webkit-print-color-adjust:exact;print-color-adjust:exact}table{font-size:.75rem}figure,tr,h2,h3{break-inside:avoid}h2,h3{break-after:avoid}
.wide{overflow:visible}}
"""
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"


def text(value: object) -> str:
    """A text as HTML: hidden and control characters visible, everything that could be markup escaped."""
    return escape(sanitize_lines(str(value)), quote=True)


def anchor(value: str) -> str:
    """A text as an id that a link can lead to: letters, digits and dashes alone."""
    return re.sub(r"[^A-Za-z0-9]+", "-", value).strip("-") or "x"


def page(title: str, body: Iterable[str]) -> str:
    """The whole file. `body` is HTML whose texts went through `text`."""
    head = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">'
        f"<title>{text(title)}</title><style>{_STYLE}</style></head><body><main><h1>{text(title)}</h1>"
    )
    return "\n".join([head, *body, "</main></body></html>"])


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], *, marked: int | None = None) -> Iterator[str]:
    """A table; the text of column `marked`, where it is `error` or `warning`, is drawn so.

    Such a table ends in sentences: on a phone each row becomes a card.
    """
    kind = "wide" if marked is None else "wide cards"
    yield f'<div class="{kind}"><table><thead><tr>{"".join(f"<th>{text(head)}</th>" for head in heads)}</tr></thead>'
    yield "<tbody>"
    for row in rows:
        cells = []
        for at, cell in enumerate(row):
            shown = text("" if cell is None else cell)
            mark = f' class="{shown}"' if at == marked and shown in ("error", "warning") else ""
            cells.append(f"<td{mark}>{shown}</td>")
        yield "<tr>" + "".join(cells) + "</tr>"
    yield "</tbody></table></div>"
