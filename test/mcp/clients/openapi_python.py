"""The client that openapi-python-client generates from /openapi.json, in the package that the target names."""

import importlib
import json
import sys
from contextlib import asynccontextmanager

import steps

target = json.loads(sys.argv[1])
sys.path.insert(0, target["folder"])


def part(name):
    return importlib.import_module(f"generated.{name}")


@asynccontextmanager
async def connect(target):
    client = part("client").Client(base_url=target["url"].removesuffix("/mcp"))

    async def names():
        operations = ["questions.ask_brand", "forms.request_diagnostic", "forms.apply_partner_program"]
        return [part(f"api.{name}").__name__.rsplit(".", 1)[-1] for name in operations]

    async def call(name, arguments):
        folder, model = {"ask_brand": ("questions", "AskRequest"), "request_diagnostic": ("forms", "DiagnosticRequest")}[name]
        body = getattr(part("models"), model).from_dict(arguments)
        answer = await part(f"api.{folder}.{name}").asyncio(client=client, body=body)
        return json.dumps(answer.to_dict(), ensure_ascii=False)

    yield names, call


steps.run(connect)
