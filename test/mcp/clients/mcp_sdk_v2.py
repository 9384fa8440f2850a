"""The official Python SDK 2.x, in the revision that the target names."""

import os
from contextlib import asynccontextmanager

from mcp import Client, StdioServerParameters

from steps import run


@asynccontextmanager
async def connect(target):
    server = target["url"] if "url" in target else StdioServerParameters(
        command=target["command"][0], args=target["command"][1:], env={**os.environ, **target["env"]}
    )
    async with Client(server, mode=target["mode"]) as client:

        async def names():
            return [tool.name for tool in (await client.list_tools()).tools]

        async def call(name, arguments):
            return (await client.call_tool(name, arguments)).content[0].text

        yield names, call


run(connect)
