"""langchain-mcp-adapters: over HTTP a session for each call, as it comes; over stdio one session, or each call starts a process."""

import os
from contextlib import asynccontextmanager

from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools

from steps import run


def client_of(target):
    if "url" in target:
        return MultiServerMCPClient({"aval": {"transport": "streamable_http", "url": target["url"]}})
    command, *args = target["command"]
    env = {**os.environ, **target["env"]}
    return MultiServerMCPClient({"aval": {"transport": "stdio", "command": command, "args": args, "env": env}})


@asynccontextmanager
async def tools_of(target):
    client = client_of(target)
    if "url" in target:
        yield await client.get_tools()
    else:
        async with client.session("aval") as session:
            yield await load_mcp_tools(session)


@asynccontextmanager
async def connect(target):
    async with tools_of(target) as tools:
        by_name = {tool.name: tool for tool in tools}

        async def names():
            return list(by_name)

        async def call(name, arguments):
            return text_of(await by_name[name].ainvoke(arguments))

        yield names, call


def text_of(result):
    return result if isinstance(result, str) else result[0]["text"]


run(connect)
