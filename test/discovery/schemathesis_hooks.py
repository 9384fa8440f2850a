"""What openapi.json says in words and no schema can: a key that was used with another body is refused, so each call gets
its own; `_next` has to be an address that the operator allows, so forms go without it."""

from uuid import uuid4

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    key = case.headers.get("Idempotency-Key") if case.headers else None
    if isinstance(key, str) and len(key) <= 255 and key.strip(' \t"'):
        case.headers["Idempotency-Key"] = f"{key[:219]}{uuid4()}"
    if isinstance(case.body, dict):
        case.body.pop("_next", None)
