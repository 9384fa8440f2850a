"""A key that was used with another body is refused, as openapi.json says; no schema can. So each call gets its own."""

from uuid import uuid4

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    key = case.headers.get("Idempotency-Key") if case.headers else None
    if isinstance(key, str) and len(key) <= 255 and key.strip(' \t"'):
        case.headers["Idempotency-Key"] = f"{key[:219]}{uuid4()}"
