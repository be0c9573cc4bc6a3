"""Every rule, by name: the one place where rules are listed. The order is that of findings at the same place."""

from __future__ import annotations

from ctxinspect.lint.rule import MessageRule, SequenceRule
from ctxinspect.lint.rules import (
    ambiguous_pair,
    bad_arguments_json,
    bad_call_id,
    bad_content,
    bad_tool_name,
    call_copies_differ,
    call_in_flight,
    consecutive_role,
    duplicate_call_id,
    duplicate_result,
    empty_arguments,
    empty_message,
    ends_with_assistant,
    hidden_characters,
    history_in_system,
    lone_surrogate,
    missing_call_id,
    missing_name,
    missing_result,
    no_user_message,
    null_content,
    orphan_result,
    reasoning_orphan,
    result_after_text,
    result_not_adjacent,
    results_reordered,
    role_order,
    secret_in_context,
    system_position,
    thinking_order,
    trailing_whitespace,
    unknown_tool,
)

__all__ = ["MESSAGE_RULES", "SEQUENCE_RULES"]

SEQUENCE_RULES: tuple[SequenceRule, ...] = (
    orphan_result.RULE,
    duplicate_result.RULE,
    missing_result.RULE,
    call_in_flight.RULE,
    result_not_adjacent.RULE,
    results_reordered.RULE,
    missing_call_id.RULE,
    duplicate_call_id.RULE,
    ambiguous_pair.RULE,
    no_user_message.RULE,
    system_position.RULE,
    role_order.RULE,
    consecutive_role.RULE,
    ends_with_assistant.RULE,
    trailing_whitespace.RULE,
    thinking_order.RULE,
    reasoning_orphan.RULE,
)
"""Rules about the whole list."""

MESSAGE_RULES: tuple[MessageRule, ...] = (
    history_in_system.RULE,
    bad_call_id.RULE,
    bad_tool_name.RULE,
    bad_arguments_json.RULE,
    empty_arguments.RULE,
    null_content.RULE,
    bad_content.RULE,
    empty_message.RULE,
    missing_name.RULE,
    unknown_tool.RULE,
    call_copies_differ.RULE,
    lone_surrogate.RULE,
    hidden_characters.RULE,
    secret_in_context.RULE,
    result_after_text.RULE,
)
"""Rules about one message alone."""
