"""What no document can say of an answer: that a 5xx was written on purpose."""

import schemathesis


@schemathesis.check
def no_accident(ctx, response, case):
    if response.status_code < 500:
        return
    text = response.content.decode("utf-8", errors="replace")
    assert '"code":"SYS00' in text, f"{response.status_code} that is not ours: {text[:200]}"
    assert "Internal Server Error" not in text, f"{response.status_code} by accident: {text[:200]}"
