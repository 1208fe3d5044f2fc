"""Facts that an OpenAPI document cannot express: deliberate 5xx answers, and bodies that may be absent."""

import schemathesis
from schemathesis.specs.openapi import checks

# Their successful answers have a body only when there is something to report about the accepted input.
MAY_BE_EMPTY = {"POST /ingestion/entities", "POST /ingestion/entities/datasets/stats"}

# Chat providers look at the status alone: taken events, and bodies that hold none, are answered without a body.
STATUS_ALONE = "POST /api/chat/events"


def is_left_out(response, case):
    label = case.operation.label
    taken = response.status_code < 300 and label in MAY_BE_EMPTY
    told = response.status_code in (200, 400) and label == STATUS_ALONE
    return (taken or told) and not response.content


@schemathesis.check
def type_as_declared(ctx, response, case):
    if not is_left_out(response, case):
        return checks.content_type_conformance(ctx, response, case)


@schemathesis.check
def body_as_declared(ctx, response, case):
    if not is_left_out(response, case):
        return checks.response_schema_conformance(ctx, response, case)


@schemathesis.check
def no_accident(ctx, response, case):
    if response.status_code < 500:
        return
    text = response.content.decode("utf-8", errors="replace")
    assert '"code":"SYS00' in text, f"{response.status_code} that is not ours: {text[:200]}"
    assert "Internal Server Error" not in text, f"{response.status_code} by accident: {text[:200]}"
