"""docs/breakpoints.md, written from the language itself: grammar, kinds, stages, fields and what they hold."""

from __future__ import annotations

from ctxinspect.pipeline.events import KINDS, FieldType
from ctxinspect.pipeline.predicate import GRAMMAR

__all__ = ["breakpoints_page"]

_INTRO = """# Breakpoints

`ctxinspect break FILE --on EXPR` prints every position where EXPR holds, in the order of the session: its address and
one line. `--first` ends at the first one, `--exit-code` exits 1 where there is one, `--format json` prints all parts of
the address. The same language sets breakpoints in the inspector, filters turns and decides `lint --fail-on`.

```
ctxinspect break run.json --on topic                        every decided topic switch
ctxinspect break run.json --on 'topic margin<0.05'          every near miss, whatever was decided
ctxinspect break run.json --on 'drop role=tool'             a tool result fell out of the window
ctxinspect break run.json --on 'budget used>95%'            nearly full
ctxinspect break run.json --on 'text /rm -rf/ role=assistant'
ctxinspect break run.json --on 'pair and not at 3'
ctxinspect break run.json --set window.strategy=conservative --on 'fork diverges'
```

An expression is parsed to a tree and never run as code."""
_MEANING = """A term is a kind and conditions; it holds where one event of the request meets all of them. `and`, `or`, `not` and
parentheses join terms per request: `A and B` gives the places of both in requests that have both, `not A` the requests
without A. Events of a whole turn (gate, recall, cover, assemble) stand at its first request. An operator right behind a kind
compares its first field (`cover<.85`); a field alone holds where it is there and neither 0 nor `no`. A field that is
null meets nothing; of several values one is enough, for `!=` none may be equal. `text="..."` means contains, arguments
of calls and thinking included; `/x/i` ignores case; `severity>=warning` is allowed. A percent sign divides by a hundred."""
_FILE = """## A file of breakpoints

```
format = "ctxinspect-breaks/1"

[[breakpoint]]
id = 1
on = "topic margin<0.05"
enabled = true   # default
ignore = 0       # stops passed over, counted from the start of the session; default 0
once = false     # deleted after its first stop; default false
```

`ctxinspect lint SESSION --breaks FILE` exits 1 where one of them stops. In the inspector `b` sets one on what is under the
cursor, `c` and `C` go to the next stop and to the one before; `:b EXPR`, `:tb EXPR` (one time), `:cond 3 EXPR`, `:ignore 3 5`,
`:disable 3`, `:enable 3`, `:delete 3`, `:b save FILE` and `:b load FILE` do what they say. They are kept per recording.

An unknown key, a value of the wrong type or an expression that cannot be read is one line with file, line and key.
"""


def breakpoints_page() -> str:
    """The page as it stands in the repository."""
    rows = [
        f"| `{name}` | {kind.stage} | {kind.alone} | {'; '.join(_field(*item) for item in kind.types.items())} |"
        for name, kind in KINDS.items()
    ]
    grammar = "\n".join(line.rstrip() for line in GRAMMAR.splitlines())
    table = "\n".join(["| kind | stage | alone it means | fields |", "|---|---|---|---|", *rows])
    return "\n\n".join([_INTRO, f"```\n{grammar}\n```", _MEANING, table, _FILE])


def _field(name: str, type_: FieldType) -> str:
    """A field and what it holds: a number unless something is said."""
    if type_ == "number":
        return f"`{name}`"
    return f"`{name}` (text)" if type_ == "text" else f"`{name}` ({', '.join(type_)})"
