"""Asks one server all it has, with the official Python SDK, and prints what the client made of it as one line of JSON.

usage: client.py MODE URL | client.py MODE COMMAND ARGUMENT...
"""

import asyncio
import json
import os
import sys

from mcp import Client, MCPError, StdioServerParameters


async def main(mode: str, target: list[str]) -> None:
    async with Client(server(target), mode=mode) as client:
        tools = (await client.list_tools()).tools
        answer = await client.call_tool("ask_brand", {"query": "¿Cuánto cuesta el diagnóstico?"})
        refused = await client.call_tool("request_diagnostic", {"name": "A"})
        report = {
            "version": client.protocol_version,
            "server": client.server_info.name,
            "tools": [tool.name for tool in tools],
            "matches": len(answer.structured_content["matches"]),
            "same": json.loads(answer.content[0].text) == answer.structured_content,
            "refused": refused.is_error and json.loads(refused.content[0].text)["code"],
            "unknown": await code_of(client.call_tool("unknown", {})),
        }
    print(json.dumps(report))


def server(target: list[str]) -> str | StdioServerParameters:
    if target[0].startswith("http://"):
        return target[0]
    return StdioServerParameters(command=target[0], args=target[1:], env=dict(os.environ))


async def code_of(call) -> int | None:
    try:
        await call
    except MCPError as error:
        return error.error.code
    return None


asyncio.run(main(sys.argv[1], sys.argv[2:]))
