"""The official A2A client: questions only, which is what the agent offers there."""

from contextlib import asynccontextmanager

from a2a.client import create_client
from a2a.helpers.proto_helpers import get_data_parts, new_text_message
from a2a.types import Role, SendMessageRequest

import steps


@asynccontextmanager
async def connect(target):
    async with await create_client(target["url"].removesuffix("/mcp")) as client:

        async def names():
            card = await client.get_card() if hasattr(client, "get_card") else client._card
            return ["ask_brand"] if card.skills else []

        async def call(name, arguments):
            message = new_text_message(arguments.get("query", " "), role=Role.ROLE_USER)
            replies = [reply async for reply in client.send_message(SendMessageRequest(message=message))]
            return str(get_data_parts(replies[0].message.parts)[0])

        yield names, call


steps.TOOLS = ["ask_brand"]
steps.run(connect)
