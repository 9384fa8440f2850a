"""The steps that every MCP client takes. Prints one line of JSON: step -> "yes", or what came instead."""

import asyncio
import json
import re
import sys

TOOLS = ["ask_brand", "request_diagnostic", "apply_partner_program"]
QUESTION = "¿Cuánto cuesta el diagnóstico?"
FIELDS = {
    "name": "Ana Ruiz",
    "email": "ana@conservas.example",
    "company": "Conservas del Norte",
    "role": "Directora de marketing",
    "country": "España",
    "context": "Vendemos en 300 tiendas y el margen baja.",
}


def run(connect):
    """connect: from a target to an async context manager of (tool names, call), where call gives the text that a model sees."""
    print(json.dumps(asyncio.run(walk(connect, json.loads(sys.argv[1])))))


async def walk(connect, target):
    report = {}

    async def step(name, work):
        try:
            came = await work()
            report[name] = "yes" if came is True else str(came)[:300]
        except Exception as error:  # what a client raises is part of what is shown
            report[name] = f"{type(error).__name__}: {error}"[:300]

    try:
        async with connect(target) as (names, call):
            report["connect"] = "yes"

            async def listed():
                found = await names()
                return found == TOOLS or found

            async def asked():
                text = await call("ask_brand", {"query": QUESTION})
                return "clm-diagnostic-price" in text or text

            async def submitted():
                texts = [await call("request_diagnostic", FIELDS) for _ in range(3)]
                references = {re.search(r"[A-Z]{4}-\d{4}", text)[0] for text in texts}
                return len(references) == 3 or texts

            async def faulty():
                text = await seen(call, "request_diagnostic", {**FIELDS, "email": "nobody"})
                return "email: must be a valid email address" in text or text

            async def limited():
                for _ in range(target["limit"] + 1):
                    text = await seen(call, "ask_brand", {"query": QUESTION})
                    if "Wait " in text and "seconds" in text:
                        return True
                return "never refused with the wait"

            steps = [("list", listed), ("ask", asked), ("submit", submitted), ("fault", faulty), ("limit", limited)]
            for name, work in steps if target["limit"] else steps[:-1]:
                await step(name, work)
    except Exception as error:
        report.setdefault("connect", f"{type(error).__name__}: {error}"[:300])
    return report


async def seen(call, name, arguments):
    """What a model sees, whether the client returns it or raises it."""
    try:
        return await call(name, arguments)
    except Exception as error:
        return str(error)
