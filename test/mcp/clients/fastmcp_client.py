"""The client of FastMCP."""

import os
from contextlib import asynccontextmanager

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from steps import run


@asynccontextmanager
async def connect(target):
    if "url" in target:
        transport = target["url"]
    else:
        command, *args = target["command"]
        transport = StdioTransport(command=command, args=args, env={**os.environ, **target["env"]})
    async with Client(transport) as client:

        async def names():
            return [tool.name for tool in await client.list_tools()]

        async def call(name, arguments):
            return (await client.call_tool(name, arguments)).content[0].text

        yield names, call


run(connect)
