"""A session in Chinese, small enough to be read, with something to show in every panel."""

from __future__ import annotations

from ctxinspect.model.session import Component, Session
from tests.support.build import call, result, round_, session, settings, turn

__all__ = ["chinese_session"]


def chinese_session() -> Session:
    """Three topics in six turns; a component is cut, one is left out, a variable stays open, a result is missing."""
    return session(
        turn("客厅的窗户还开着吗？", "客厅的窗户开着，卧室的关了。"),
        turn(
            "把卧室的暖气调到二十一度。",
            "卧室的暖气调到二十一度了。",
            round_(
                [call("一", "set_heating", {"房间": "卧室", "温度": 21})],
                [result("一", "卧室：二十一度，湿度百分之四十。", "set_heating")],
            ),
        ),
        turn("红烧肉要炖多久？", "先煸炒出糖色，再用小火炖一个半小时。"),
        turn("冰糖放多少？", "五百克五花肉放三十克冰糖。"),
        turn("窗户和暖气现在怎么样？", "窗户关了，暖气是二十一度。", round_([call("二", "get_sensor", "{}")], [])),
        turn("卧室的窗户关好了吗？", None),
        title="家里的助手：客厅、卧室和厨房",
        components=(
            Component(name="身份", content="你是家里的助手，用提问的语言回答，一到两句话。", priority=100),
            Component(name="房间", content="家里有客厅、卧室和厨房。主人是{{主人}}。" * 4, priority=70),
            Component(name="菜谱", content="红烧肉：五花肉、冰糖、酱油、料酒。" * 20, priority=30),
        ),
        variables={"客人": "小李"},
        context=settings(assembler__max_tokens=240, assembler__min_useful_tokens=10, window__context_tokens=2000),
    )
