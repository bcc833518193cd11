"""Drives the tutor's server with Python's own package for the Model Context Protocol.

    tutor_client.py PROGRAM FOLDER

FOLDER has work/ with a vector-add.wgsl of 12 lines. It prints the tools that it called.
"""

import asyncio
import sys

from mcp import Client, MCPError, StdioServerParameters

CALLS = 200


async def examples(client):
    """Calls each tool with the example that its schema has."""
    answers = {}
    for tool in (await client.list_tools()).tools:
        result = await client.call_tool(tool.name, tool.input_schema["examples"][0])
        assert not result.is_error, f"{tool.name}: {result.content}"
        answers[tool.name] = result.structured_content
    assert answers["task"]["program"]["text"].count("\n") == 12
    assert answers["attempts"]["count"] == 0
    assert "['i', 'a[i]']" in str(answers["examine"]), answers["examine"]
    assert answers["suppose"]["before"]["verdict"] == "fail"
    assert answers["say"] == {"kept": True, "next_level_at_most": "concept"}
    said = {"exercise": "vector-add", "level": "question", "text": "What does line 9 do?", "facts": [{"kind": "line", "line": 9, "has": "a[i]"}]}
    false = (await client.call_tool("say", said)).structured_content
    assert not false["kept"] and false["refused"].startswith("Fact 1 is false: line 9 is `if"), false
    assert answers["hear"] == {"kept": True}
    assert "a line that no invocation passes" in str(answers["concept"])
    return sorted(answers)


async def refused(call):
    """Returns the code and the message of a protocol error."""
    try:
        answer = await call
    except MCPError as error:
        return error.code, str(error)
    raise AssertionError(f"no protocol error, but {answer}")


async def mistakes(client):
    """Makes mistakes: each is answered, and the session goes on."""
    invalid = -32602
    for call in client.call_tool("none", {}), client.get_prompt("none"), client.read_resource("wgslab://none"):
        code, message = await refused(call)
        assert code == invalid and message, message
    for tool, arguments in ("task", {"exercise": 7}), ("task", {}), ("say", {"exercise": "vector-add"}), ("examine", {"exercise": "none"}):
        result = await client.call_tool(tool, arguments)
        assert result.is_error and result.content[0].text, f"{tool} {arguments}"


async def at_once(client):
    """Makes many calls at the same time."""
    calls = [client.call_tool("examine" if i % 2 else "task", {"exercise": "vector-add"}) for i in range(CALLS)]
    for i, result in enumerate(await asyncio.gather(*calls)):
        assert not result.is_error and ("verdict" if i % 2 else "task") in result.structured_content, result


async def main(program, folder):
    server = StdioServerParameters(command=program, args=["mcp", "--folder", folder])
    async with Client(server) as client:
        tools = await examples(client)
        await mistakes(client)
        await at_once(client)
        prompt = await client.get_prompt("tutor", {"exercise": "vector-add"})
        assert "Never write code that solves an exercise" in prompt.messages[0].content.text
        for resource in (await client.list_resources()).resources:
            await client.read_resource(resource.uri)
    print(" ".join(tools))


asyncio.run(main(*sys.argv[1:]))
