"""The MCP servers of openai-agents, without a model."""

import os
from contextlib import asynccontextmanager

from agents.mcp import MCPServerStdio, MCPServerStreamableHttp

from steps import run


@asynccontextmanager
async def connect(target):
    if "url" in target:
        server = MCPServerStreamableHttp(params={"url": target["url"]}, name="aval", client_session_timeout_seconds=60)
    else:
        command, *args = target["command"]
        server = MCPServerStdio(params={"command": command, "args": args, "env": {**os.environ, **target["env"]}}, name="aval", client_session_timeout_seconds=60)
    async with server:

        async def names():
            return [tool.name for tool in await server.list_tools()]

        async def call(name, arguments):
            return (await server.call_tool(name, arguments)).content[0].text

        yield names, call


run(connect)
