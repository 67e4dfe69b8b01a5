"""What benchmarks.asking runs in other environments: it imports nothing of ours.

``PYTHON benchmarks/asking_elsewhere.py TOOL URL CONCURRENCY`` reads prompts as JSON from the
standard input, asks them, text alone, and prints seconds, CPU-seconds and the digest of the
answers as JSON. The tools keep nothing, as they do by default.
"""

import asyncio
import hashlib
import json
import os
import resource
import sys
import time


async def distilabel(url, at_once, prompts):
    from distilabel.models import OpenAILLM  # noqa: PLC0415

    llm = OpenAILLM(
        model="scripted",
        base_url=url,
        api_key="none",
        max_retries=0,
        generation_kwargs={"max_new_tokens": 16, "temperature": 0},
    )
    llm.load()
    semaphore = asyncio.Semaphore(at_once)

    async def ask(prompt):
        async with semaphore:
            found = await llm.agenerate(
                input=[{"role": "user", "content": prompt}], max_new_tokens=16, temperature=0
            )
            return found["generations"][0]

    yield
    yield await asyncio.gather(*map(ask, prompts))


async def inspect_ai(url, at_once, prompts):
    from inspect_ai.model import GenerateConfig, get_model  # noqa: PLC0415

    config = GenerateConfig(max_connections=at_once, max_tokens=16, temperature=0, max_retries=0)
    model = get_model(
        "openai/scripted", base_url=url, api_key="none", config=config, responses_api=False
    )

    async def ask(prompt):
        return (await model.generate(prompt)).completion

    yield
    yield await asyncio.gather(*map(ask, prompts))


async def main(tool, url, at_once):
    os.environ["INSPECT_DISPLAY"] = "none"
    prompts = json.load(sys.stdin)
    steps = {"distilabel": distilabel, "inspect_ai": inspect_ai}[tool](url, int(at_once), prompts)
    await anext(steps)  # imported and set up: that is not counted
    before, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    texts = await anext(steps)
    seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()
    print(json.dumps({"seconds": seconds, "cpu": cpu, "digest": digest}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
