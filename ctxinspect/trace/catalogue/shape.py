"""Rule codes about roles, their order, and what a message must hold."""

from __future__ import annotations

from ctxinspect.trace.rule_code import RuleCode

__all__ = ["CODES"]

CODES: tuple[RuleCode, ...] = (
    RuleCode(
        "no-user-message",
        "ingest",
        "No user speaks in the whole request.",
        "A sliding window dropped the only user message, often because one question was followed by many tool rounds; "
        "or the request holds system messages alone.",
        "Keep the latest user message whatever else is trimmed.",
        "system     You help.\nassistant  calls c1\ntool       result of c1",
        "system     You help.\nuser       Check bed 3.\nassistant  calls c1\ntool       result of c1",
        severity="error",
        answers={
            "anthropic": "messages: at least one message is required.",
            "gemini": "contents is not specified.",
        },
        silence="Not reported where the recording says that earlier context is kept on the provider's server.",
    ),
    RuleCode(
        "system-position",
        "ingest",
        "A system message stands among the messages where the API has another place for it.",
        "A history in the form of one provider was sent to another, or instructions were added mid-conversation.",
        "Put the system prompt into the API's own field (`system`, `systemInstruction`); turn later instructions into "
        "user text that names its source.",
        'messages   [system "You are a bell-founder.", user "Bell 3?"]',
        'system     "You are a bell-founder."\nmessages   [user "Bell 3?"]',
        cells="-,- -,- E,W E,E -,E",
        cases=("the first message", "a later one"),
        answers={
            "openai": "accepts system and developer messages anywhere.",
            "openai-responses": "accepts system and developer messages anywhere.",
            "anthropic": 'Unexpected role "system". The Messages API accepts a top-level `system` parameter. Later '
            "ones are accepted by recent models only.",
            "gemini": "Please use a valid role: user, model.",
            "strict": "accepts one at the very beginning, refuses any later one.",
        },
    ),
    RuleCode(
        "role-order",
        "ingest",
        "The first turn is not the user's, or a turn with calls follows neither the user nor a result.",
        "Trimming opened the window in the middle of a turn, or two assistant messages were stored one after another.",
        "Open the window with a user message; merge a text and the calls that follow it into one assistant message.",
        "system     Ferry desk.\nassistant  calls c1\ntool       result of c1",
        "system     Ferry desk.\nuser       Any delay?\nassistant  calls c1\ntool       result of c1",
        cells="W,W W,W E,- E,E E,E",
        cases=("the first turn is not the user's", "a call turn out of place"),
        answers={
            "openai": "accepts it; servers with the same format often do not.",
            "anthropic": 'first message must use the "user" role',
            "gemini": "Please ensure that function call turn comes immediately after a user turn or after a function "
            "response turn.",
        },
    ),
    RuleCode(
        "consecutive-role",
        "ingest",
        "Two messages of the user, or two of the assistant, stand in a row.",
        "A person wrote twice before an answer came, an answer was lost, or a note was stored as a user message.",
        "Merge the two messages into one.",
        "user       Wait.\nuser       Make it 45.",
        "user       Wait. Make it 45.",
        cells="- - - W E",
        answers={
            "openai": "accepts it.",
            "anthropic": "accepts it and merges the two.",
            "gemini": "accepts it with most models; some ask that roles alternate.",
            "strict": "refuses it: chat templates of local models demand that roles alternate.",
        },
    ),
    RuleCode(
        "ends-with-assistant",
        "ingest",
        "The request ends with a message of the assistant.",
        "A finished answer was sent again, or the start of an answer was prefilled.",
        "End with a user message. A finished reply stays in the history: do not delete it, ask the next question.",
        "user       Name a moss.\nassistant  Sphagnum.",
        "user       Name a moss.\nassistant  Sphagnum.\nuser       Another one.",
        cells="- - W W E",
        answers={
            "openai": "accepts it.",
            "anthropic": "older models go on from it; newer ones (4.6 and later) answer: This model does not support "
            "assistant message prefill. The conversation must end with a user message.",
            "gemini": "accepts it and may answer with nothing.",
        },
        silence="Not reported for a transcript, which is a story and ends with its answer.",
    ),
    RuleCode(
        "trailing-whitespace",
        "ingest",
        "The assistant's text that is to be continued ends in white space.",
        "A prefilled or stored answer was kept with the blank or newline at its end.",
        "Cut the white space off.",
        'assistant  "Sphagnum. "',
        'assistant  "Sphagnum."',
        severity="warning",
        answers={"anthropic": "final assistant content cannot end with trailing whitespace"},
    ),
    RuleCode(
        "empty-message",
        "ingest",
        "A text block is empty or blank, or a message holds nothing.",
        "A model answered with newlines only, a tool returned nothing, or text was stripped and the block kept.",
        "Leave the block out; leave the message out where nothing remains.",
        'assistant  [{"type": "text", "text": ""}, call c1]',
        "assistant  [call c1]",
        cells="- - E E E",
        answers={
            "openai": "accepts it.",
            "anthropic": "text content blocks must be non-empty; text content blocks must contain non-whitespace text",
            "gemini": "Unable to submit request because it must include at least one parts field.",
        },
    ),
    RuleCode(
        "null-content",
        "ingest",
        "The content is null where text is required.",
        "null is right for an assistant message that only calls tools; a serialiser wrote it everywhere else too.",
        "Write an empty string or the text; leave out an assistant message with neither text nor calls.",
        'tool       {"content": null}',
        'tool       {"content": ""}',
        severity="error",
        answers={
            "openai": "Invalid value for 'content': expected a string, got null.",
            "anthropic": "messages.1.content: Input should be a valid list",
        },
    ),
    RuleCode(
        "bad-content",
        "ingest",
        "A content is neither text nor a list of known parts.",
        "A number, an object or a missing key was stored as content, or a text part whose text is null.",
        "Store text as a string or as text parts.",
        'user       {"content": {"text": "as object"}}',
        'user       {"content": "as object"}',
        severity="error",
        answers={"openai": "Invalid type for 'messages[0].content': expected one of a string or array of objects."},
    ),
    RuleCode(
        "missing-name",
        "ingest",
        "A function message does not say which function it answers.",
        "Legacy function calls have no ids; the name is all that pairs them, and a writer left it out.",
        "Write the name of the function that was called; better, move to tool calls with ids.",
        'function   {"content": "12.0"}',
        'function   {"name": "dew_point", "content": "12.0"}',
        severity="error",
        answers={"openai": "Missing parameter 'name': messages with role 'function' must have a 'name'."},
    ),
    RuleCode(
        "thinking-order",
        "ingest",
        "Thinking stands behind other parts, has no signature, or is missing where it is switched on.",
        "A store dropped or re-ordered thinking blocks, or kept their text without the signature.",
        "Send thinking blocks back first in their message, unchanged and with their signature; or switch thinking off "
        "for this request.",
        "thinking   enabled\nassistant  [call c1]",
        "thinking   enabled\nassistant  [thinking (signed), call c1]",
        cells="- - E - E",
        answers={
            "anthropic": "Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is "
            "enabled, a final `assistant` message must start with a thinking block.",
        },
    ),
    RuleCode(
        "history-in-system",
        "assemble",
        "The system message holds the conversation as running text.",
        "A history was flattened into the system prompt. Who speaks is a text prefix then, and the model fails at "
        '"it", "that one" and "as you said".',
        "Send every turn as real messages with roles and paired calls.",
        "system     [09:01] Ana: weather?\n           [09:02] Bot: sunny",
        "user       weather?\nassistant  sunny",
        severity="error",
        silence="It looks at lines alone, so a prompt that quotes example dialogues has it too. Ignore it for such files, "
        "or write the examples as messages, where the model reads them as what they are.",
    ),
)
