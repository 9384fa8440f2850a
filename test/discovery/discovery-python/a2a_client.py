"""The client of the official A2A SDK against an agent: prints what it met as JSON."""

import asyncio
import json
import sys

from a2a.client import create_client
from a2a.helpers.proto_helpers import get_data_parts, new_text_message
from a2a.types import GetTaskRequest, ListTasksRequest, Role, SendMessageRequest
from a2a.utils.errors import A2AError


async def main(url: str, question: str) -> None:
    async with await create_client(url) as client:
        message = new_text_message(question, role=Role.ROLE_USER)
        replies = [reply async for reply in client.send_message(SendMessageRequest(message=message))]
        (answer,) = get_data_parts(replies[0].message.parts)
        tasks = await client.list_tasks(ListTasksRequest())
        try:
            await client.get_task(GetTaskRequest(id='none'))
            refused = None
        except A2AError as error:
            refused = type(error).__name__
    report = {'brand': answer['brand'], 'matches': len(answer['matches']), 'tasks': len(tasks.tasks), 'refused': refused}
    print(json.dumps(report, ensure_ascii=False))


asyncio.run(main(*sys.argv[1:]))
