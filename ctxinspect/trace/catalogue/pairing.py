"""Rule codes about tool calls and their results."""

from __future__ import annotations

from ctxinspect.trace.rule_code import RuleCode

__all__ = ["CODES"]

_GEMINI_COUNT = (
    "Please ensure that the number of function response parts is equal to the number of function call parts "
    "of the function call turn."
)
_GEMINI_ORDER = "Please ensure that function response turn comes immediately after a function call turn."

CODES: tuple[RuleCode, ...] = (
    RuleCode(
        "missing-result",
        "ingest",
        "A tool call has no result although the conversation goes on after it.",
        "A tool crashed, a person interrupted it, or a batch was cut off after the first of its results; the call was "
        "stored, its result never was. Every later request then carries the open call.",
        "Add the result, or one that says that the call was interrupted; or remove the call, and with it every result "
        "of the same message if the message goes. In a replay `sequence.orphan_calls` chooses (drop or stub).",
        "assistant  calls c1, c2\ntool       result of c1\nuser       And now?",
        "assistant  calls c1, c2\ntool       result of c1\ntool       result of c2: [interrupted: no result]\n"
        "user       And now?",
        severity="error",
        answers={
            "openai": "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            "'tool_call_id'.",
            "openai-responses": "No tool output found for function call c2.",
            "anthropic": "`tool_use` ids were found without `tool_result` blocks immediately after: c2.",
            "gemini": _GEMINI_COUNT,
            "strict": "refuses it.",
        },
        silence="A replayed turn marked `interrupted` lowers it to a warning.",
    ),
    RuleCode(
        "call-in-flight",
        "ingest",
        "A tool call is still waiting for its result: nothing follows it.",
        "The recording stops between a call and its result, because the program ended or is still running.",
        "Wait for the result, or add one that says that the call was interrupted, before the list is sent again.",
        "user       Print the signs.\nassistant  calls c1",
        "user       Print the signs.\nassistant  calls c1\ntool       result of c1",
        cells="E,I E,I E,I E,I E,I",
        cases=("in a recording", "in a replay"),
        answers={
            "openai": "An assistant message with 'tool_calls' must be followed by tool messages.",
            "openai-responses": "No tool output found for function call c1.",
            "anthropic": "`tool_use` ids were found without `tool_result` blocks immediately after: c1.",
            "gemini": _GEMINI_COUNT,
        },
        silence="Nothing to do for a session that is still running: it ends with the result.",
    ),
    RuleCode(
        "orphan-result",
        "ingest",
        "A tool result belongs to no call before it.",
        "History was cut by count or by tokens between a call and its result, or a summary replaced the call only. "
        "A check of the first message misses it where a system message stands there.",
        "Cut between turns, never inside a pair; or remove the result together with its call.",
        "system     Library desk.\ntool       result of c1\nassistant  Three books due.",
        "system     Library desk.\nassistant  Three books due.",
        severity="error",
        answers={
            "openai": "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
            "openai-responses": "No tool call found for function call output with call_id c1.",
            "anthropic": "unexpected `tool_use_id` found in `tool_result` blocks: each must have a corresponding "
            "`tool_use` block in the previous message.",
            "gemini": _GEMINI_ORDER,
            "strict": "refuses it.",
        },
        silence="Not reported where the recording says that earlier context is kept on the provider's server.",
    ),
    RuleCode(
        "duplicate-result",
        "ingest",
        "A tool call has a second result.",
        "An error path and the normal path both stored one, or a summary replayed results that were already there.",
        "Keep one: the first is the paired one here. If the later one is right, replace the first by it.",
        "assistant  calls c1\ntool       result of c1: ok\ntool       result of c1: aborted",
        "assistant  calls c1\ntool       result of c1: ok",
        severity="error",
        answers={
            "openai": "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
            "anthropic": "each tool_use must have a single result. Found multiple `tool_result` blocks with id: c1.",
            "gemini": _GEMINI_COUNT,
            "strict": "refuses it.",
        },
    ),
    RuleCode(
        "result-not-adjacent",
        "ingest",
        "Another message stands between a tool call and its result.",
        "A person wrote while the tool ran, or a note, a summary or a notification was appended before the result was.",
        "Move the result directly behind its call, and what came between behind the result. Do not add a second "
        "result: the real one would be an orphan then.",
        "assistant  calls c1\nuser       Wait, make it 45.\ntool       result of c1",
        "assistant  calls c1\ntool       result of c1\nuser       Wait, make it 45.",
        severity="error",
        answers={
            "openai": "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            "'tool_call_id'.",
            "anthropic": "`tool_use` ids were found without `tool_result` blocks immediately after: c1.",
            "gemini": _GEMINI_ORDER,
            "strict": "refuses it.",
        },
    ),
    RuleCode(
        "missing-call-id",
        "ingest",
        "A tool call or a result has no id.",
        "An old export, a local server or an adapter left it out or wrote an empty string. Empty ids are missing, not "
        "equal: taken literally, every result would answer every call.",
        "Give each call an id of its own and its result the same one. Until then pairs are found by tool name within "
        "the newest batch of calls.",
        'assistant  calls get_tide (id "")\ntool       get_tide: high 11:02',
        "assistant  calls get_tide (id c1)\ntool       result of c1: high 11:02",
        cells="E E E - E",
        answers={
            "openai": "Missing required parameter: 'messages[1].tool_call_id'.",
            "openai-responses": "Missing required parameter: 'input[1].call_id'.",
            "anthropic": "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            "gemini": "accepts it: calls have no ids there, responses go by name and order.",
        },
        silence="Not reported for legacy function calls, which have no ids by design.",
    ),
    RuleCode(
        "duplicate-call-id",
        "ingest",
        "One id stands on two tool calls.",
        "Some servers give every call the same id, or number the calls of each reply from 0 again.",
        "Give each call an id of its own. A result belongs to the nearest open call with its id, so nothing is lost; "
        "never remove the later one as a repetition.",
        "assistant  calls c1 (room A)\ntool       result of c1: 12 C\nassistant  calls c1 (room B)",
        "assistant  calls c1 (room A)\ntool       result of c1: 12 C\nassistant  calls c2 (room B)",
        cells="W,E W,E E,E -,E E,E",
        cases=("in two messages", "in one message"),
        answers={
            "openai": "accepts one id in two messages, refuses it twice in one.",
            "openai-responses": "accepts one id in two replies, cannot tell the outputs of one reply apart.",
            "anthropic": "`tool_use` ids must be unique",
            "gemini": "needs no ids, but cannot tell the responses of one message apart where two carry the same.",
        },
    ),
    RuleCode(
        "ambiguous-pair",
        "ingest",
        "A result without id fitted more than one open call: its pair is a guess.",
        "Parallel calls of the same tool were recorded without ids, and results may have come in any order.",
        "Record ids. Where they are lost, compare the result with the arguments of each call before it is trusted.",
        "assistant  calls weigh (oat), weigh (rye), no ids\ntool       weigh: 25 kg",
        "assistant  calls c1 weigh (oat), c2 weigh (rye)\ntool       result of c1: 25 kg",
        severity="warning",
        everywhere="APIs that ask for ids refuse the request for the missing ones (`missing-call-id`); the others accept "
        "it, and the model may read a result under the wrong call.",
    ),
    RuleCode(
        "results-reordered",
        "ingest",
        "The results of one batch came in another order than its calls.",
        "Parallel tools were stored as they finished. That is legal wherever ids are there; whatever pairs by position "
        "swaps the values without an error.",
        "Nothing has to be mended. In a replay results stand in the order of the calls.",
        "assistant  calls c1, c2\ntool       result of c2\ntool       result of c1",
        "assistant  calls c1, c2\ntool       result of c1\ntool       result of c2",
        severity="info",
    ),
    RuleCode(
        "reasoning-orphan",
        "ingest",
        "A reasoning item is not followed by the item it belongs to.",
        "Items were filtered or cut one by one, and the message or the call that the reasoning led to went away.",
        "Remove the reasoning item too, or bring its item back directly behind it.",
        "reasoning  rs_1\nuser       And lids?",
        "reasoning  rs_1\nassistant  31 jars.\nuser       And lids?",
        cells="- E - - E",
        answers={
            "openai-responses": "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
        },
    ),
    RuleCode(
        "result-after-text",
        "ingest",
        "Text stands before a tool result in the same user message.",
        "A person's words and the results of tools were merged into one message, the words first.",
        "Results first, then the text; or the text in a message of its own after them.",
        "user       [text, result of c1]",
        "user       [result of c1, text]",
        cells="- - E W E",
        answers={
            "anthropic": "`tool_use` ids were found without `tool_result` blocks immediately after: tool_result "
            "blocks must come first in the content.",
            "gemini": "accepts it with most models.",
        },
    ),
    RuleCode(
        "call-copies-differ",
        "ingest",
        "The same call stands twice in one message, with different arguments.",
        "A framework keeps the provider's block inside the content beside the parsed call, and one of them was edited.",
        "Keep one. The parsed copy (`tool_calls`) is shown and counted here, since edits are made there.",
        'content    [call c1 {"car": 4}]\ntool_calls [c1 {"car": 5}]',
        'tool_calls [c1 {"car": 5}]',
        severity="warning",
    ),
    RuleCode(
        "answer-before-evidence",
        "render",
        "The answer stands on the same message as the calls whose results it rests on.",
        'The layout "flattened" puts all calls and texts of a turn on one message, followed by all results, so the '
        "model reads its conclusion before what led to it.",
        'Set `sequence.layout` to "rounds", which keeps every round in its place.',
        "assistant  The bus leaves at 9.  calls c1\ntool       result of c1: 9:00",
        "assistant  calls c1\ntool       result of c1: 9:00\nassistant  The bus leaves at 9.",
        severity="info",
    ),
)
