"""A lease that expires while its holder is busy: both workers write.  asyncio only; --fence refuses what comes without a valid lease."""

import asyncio
import json
import sys


async def run(fence=False, emit=lambda action: print(json.dumps({"action": action}))):
    leased, results, queued = 0, [], True

    async def work(me, seconds):
        nonlocal leased, queued
        await asyncio.sleep(seconds)
        if fence and leased != me:
            emit(f"refuse[{me}]")
            return
        emit(f"write[{me}]")
        results.append(me)
        leased, queued = 0, False

    leased = 1
    emit("lease[1]")
    slow = asyncio.create_task(work(1, 0.15))  # stalls longer than its lease lasts
    await asyncio.sleep(0.05)
    leased = 0
    emit("expire")
    leased = 2
    emit("lease[2]")
    quick = asyncio.create_task(work(2, 0.01))
    await asyncio.gather(slow, quick)
    return results


if __name__ == "__main__":
    print("results:", asyncio.run(run("--fence" in sys.argv)))
