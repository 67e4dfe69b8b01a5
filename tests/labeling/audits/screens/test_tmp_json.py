import shutil
import pytest
from bson import ObjectId
from pymongo import MongoClient
from benchwright.workspace import Workspace
from labeling.audits.app.database import workspace_digest
from labeling.audits.app.stored import stored_audit
from labeling.audits.app.judging import judge, now
from labeling.audits.tasks.task import Slot

def test_json(open_app, audit_workspace, mongo_uri, page, open_task):
    opened = open_app(audit_workspace, "attributes", "ana")
    with MongoClient(mongo_uri) as client:
        audit = stored_audit(client[f"benchwright-{workspace_digest(audit_workspace)[:12]}"], "attributes")
        sample = opened.url.split("?id=")[1]
        judge(audit, sample, Slot(auditor="zoe", verdict="confirmed", value="yes", note="SECRETNOTE", at=now()))
        seen = []
        def look(r):
            try:
                t = r.text()
            except Exception:
                return
            if "SECRETNOTE" in t: seen.append((r.url, r.request.post_data[:200] if r.request.post_data else None))
        page.on("response", look)
        open_task(opened, sample)
        page.wait_for_timeout(3000)
        page.screenshot(path="/tmp/m2b_modal.png")
        print("SEEN", seen)
        print("IN PAGE", "SECRETNOTE" in page.content())
        j = page.locator("[title*=JSON], [data-cy*=json]")
        print("JSON", j.count(), [j.nth(i).get_attribute("title") for i in range(j.count())])
        if j.count():
            j.first.evaluate("e => e.click()"); page.wait_for_timeout(1500)
            print("IN PAGE", "SECRETNOTE" in page.content())
            page.screenshot(path="/tmp/m2b_json.png")
        page.goto(opened.url.split("?")[0]); page.wait_for_timeout(5000)
        page.screenshot(path="/tmp/m2b_grid.png")
        print("GRID", seen)
        # labelled fields of sidebar
        print(page.locator("[data-cy*=sidebar]").first.inner_text()[:1500] if page.locator("[data-cy*=sidebar]").count() else "none")
