"""The official Python SDK 1.x."""

import os
from contextlib import asynccontextmanager

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

from steps import run


@asynccontextmanager
async def streams(target):
    if "url" in target:
        async with streamablehttp_client(target["url"]) as (read, write, _):
            yield read, write
    else:
        command, *args = target["command"]
        parameters = StdioServerParameters(command=command, args=args, env={**os.environ, **target["env"]})
        async with stdio_client(parameters) as (read, write):
            yield read, write


@asynccontextmanager
async def connect(target):
    async with streams(target) as (read, write), ClientSession(read, write) as session:
        await session.initialize()

        async def names():
            return [tool.name for tool in (await session.list_tools()).tools]

        async def call(name, arguments):
            return (await session.call_tool(name, arguments)).content[0].text

        yield names, call


run(connect)
