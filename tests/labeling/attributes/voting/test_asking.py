import time


def test_whole(shop, kit, serve):
    server = serve(kit.script())
    t = time.time()
    ran = shop.ask(shop.ensemble(kit.model(server)))
    print(ran.out, time.time() - t, server.counts.chats)
    print(shop.do("decide").out)
    assert shop.wrong() == []


def test_objects(scenes, kit, serve):
    server = serve(kit.script())
    e = scenes.ensemble(kit.model(server), views={"low": {"long_side": 150}, "whole": {}})
    ran = scenes.do("ask", "--ensemble", e, "--subjects", "objects")
    print(ran.out, server.counts.chats)
    print(scenes.do("decide").out)
    assert scenes.wrong() == []
