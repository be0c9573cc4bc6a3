"""Rule codes about what stands in ids, names, arguments and texts, and about records of the file."""

from __future__ import annotations

from ctxinspect.trace.rule_code import RuleCode

__all__ = ["CODES"]

CODES: tuple[RuleCode, ...] = (
    RuleCode(
        "bad-arguments-json",
        "ingest",
        "The arguments of a call are no JSON object.",
        "A stream was cut, a shortener cut the argument string in the middle, or the model wrote broken JSON.",
        "Repair the JSON, or remove the call together with its result. Never cut an argument string: shorten the "
        "values inside it.",
        'call       write {"path": "a.txt", "body": "Dear',
        'call       write {"path": "a.txt", "body": "Dear"}',
        severity="error",
        answers={
            "openai": "may accept it as it is; servers with the same format parse it and refuse every later request.",
            "anthropic": "tool_use.input: Input should be a valid dictionary",
        },
    ),
    RuleCode(
        "empty-arguments",
        "ingest",
        "The arguments of a call are an empty string instead of an empty object.",
        "Models leave the string empty for tools without parameters, and it was stored as it came.",
        "Write {} for a call without parameters.",
        'call       health ""',
        "call       health {}",
        cells="W W W - E",
        answers={
            "openai": "accepts it.",
            "anthropic": "has objects there; a converter that parses the string fails.",
            "strict": "refuses every later request: it parses the string.",
        },
    ),
    RuleCode(
        "bad-call-id",
        "ingest",
        "A call id is too long for the API or has characters that it does not accept.",
        "A history of one provider was sent to another; each makes ids of its own form.",
        "Rename the id on the call and on its result alike.",
        "call       id call:7/b",
        "call       id call_7_b",
        cells="W W E - E",
        answers={
            "openai": "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length "
            "40. (Not every model enforces it any more.)",
            "anthropic": "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            "gemini": "accepts it.",
        },
    ),
    RuleCode(
        "bad-tool-name",
        "ingest",
        "A tool name is not 1 to 64 letters, digits, underscores and hyphens.",
        "The model invented a name, or a name with dots, slashes or spaces came from another framework.",
        "Rename the tool, on the call and in the tool list.",
        "call       files/read",
        "call       files_read",
        cells="E E E E E",
        answers={
            "openai": "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            "anthropic": "tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
            "gemini": "Invalid function name.",
        },
    ),
    RuleCode(
        "unknown-tool",
        "ingest",
        "A call names a tool that is not among the session's.",
        "The model invented it, or the tool was removed or renamed after the call.",
        "Compare the name with the tool list of the request; keep removed tools listed while calls of them remain.",
        "tools      read, write\ncall       red",
        "tools      read, write\ncall       read",
        severity="warning",
    ),
    RuleCode(
        "lone-surrogate",
        "ingest",
        "A text holds half of a character: a surrogate without its partner.",
        "An emoji was cut in the middle by code that counts UTF-16 units. It parses, and explodes later: on print, on "
        "export, on sending.",
        "Cut between characters; replace the half by U+FFFD.",
        'user       "ok \\ud83d end"',
        'user       "ok \\ud83d\\ude80 end"',
        severity="warning",
        everywhere="It has no UTF-8 form, so most clients fail before any API is reached; others send U+FFFD in its place.",
    ),
    RuleCode(
        "hidden-characters",
        "ingest",
        "A text holds characters that a reader does not see: bidi controls, zero-width characters outside emoji, tag "
        "characters, control codes.",
        "Pasted or fetched text carried them; they can hide instructions, reorder what is shown or steer a terminal.",
        "Remove them before the text reaches the model, and find out where it came from.",
        'user       "grant <U+202E>resu<U+202C> access"',
        'user       "grant user access"',
        severity="warning",
    ),
    RuleCode(
        "secret-in-context",
        "ingest",
        "A key, token or private key in a known format stands in the context.",
        "A tool printed a configuration file or an environment, or a person pasted a key.",
        "Revoke the key, then remove it from the history; mask output of tools that can print keys. Only its prefix "
        "and length are shown here.",
        'tool       "OPENAI_API_KEY=sk-..."',
        'tool       "OPENAI_API_KEY=[masked]"',
        severity="warning",
    ),
    RuleCode(
        "dangling-parent",
        "ingest",
        "A record points to a parent that is not in the file.",
        "A compaction, a crash or a lost append left the parent unwritten. Walking back from the newest record stops "
        "there and shows a shorter conversation.",
        "The records before the break are shown in file order; the context starts after the break.",
        "record 3   parent ghost-1 (in no record)",
        "record 3   parent of record 2",
        severity="warning",
        everywhere="No API sees it: it is about the file, and about which messages a tool would resume with.",
    ),
    RuleCode(
        "unreadable-record",
        "ingest",
        "A record of the file could not be read.",
        "The writer was killed inside it, wrote NUL bytes, or broke the encoding. The records around it are intact.",
        "Look at the line that is named; what could be recovered from it was, and the rest is counted as skipped. A line "
        "that was mended whole (glued records parted, stray NUL bytes left out) is a warning.",
        '{"role": "user", "content": "and how ma',
        '{"role": "user", "content": "and how many?"}',
        severity="error",
        everywhere="No API sees it: it is about the file.",
    ),
)
