"""Long sessions of made-up text: seeded, bilingual, with topics that come and go, tool rounds and answers of real length.

The same number of turns and the same seed give the same session on every machine. A topic has words of its own, all
topics share common words of very unequal frequency, so that most earlier turns share an anchor with a query, as they do
in real sessions.
"""

from __future__ import annotations

import random
from typing import Any

from ctxinspect.model.session import Session

__all__ = ["long_session", "session_data"]

_SYLLABLES = (
    "ba",
    "cor",
    "del",
    "fin",
    "gra",
    "hol",
    "in",
    "jur",
    "kel",
    "lam",
    "mon",
    "nor",
    "op",
    "per",
    "qua",
    "ros",
)
_HAN = "网络接口路由缓存锁分布式进程通信端口备份恢复监控日志报警配置版本数据库索引查询事务连接超时重试队列消息主题订阅节点集群选举心跳"
_TOPICS = 24
_TOPIC_WORDS = 40
_COMMON_WORDS = 1500


def _words(random_: random.Random, number: int, syllables: int) -> list[str]:
    made: dict[str, None] = {}
    while len(made) < number:
        made["".join(random_.choice(_SYLLABLES) for _ in range(syllables))] = None
    return list(made)


class _Writer:
    """Writes sentences of a topic."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.common = _words(self.random, _COMMON_WORDS, 3)
        self.weights = [1 / (rank + 3) for rank in range(_COMMON_WORDS)]
        self.topics = [_words(self.random, _TOPIC_WORDS, 4) for _ in range(_TOPICS)]
        self.clauses = [["".join(self.random.choices(_HAN, k=5)) for _ in range(12)] for _ in range(_TOPICS)]

    def sentence(self, topic: int, words: int) -> str:
        """`words` words, about a third of them the topic's own; now and then a Chinese clause or an identifier."""
        chosen = self.random.choices(self.common, self.weights, k=words)
        own = self.random.sample(self.topics[topic], k=max(1, words // 3))
        for word in own:
            chosen[self.random.randrange(words)] = word
        if self.random.random() < 0.15:
            chosen.append(f"job_{self.random.randrange(4000)}")
        text = " ".join(chosen) + "."
        if self.random.random() < 0.2:
            text += f"\n{self.random.choice(self.clauses[topic])}和{self.random.choice(self.clauses[topic])}。"
        return text

    def text(self, topic: int, sentences: int) -> str:
        """Several sentences."""
        return " ".join(self.sentence(topic, self.random.randint(8, 16)) for _ in range(sentences))


def session_data(turns: int, seed: int = 7, **context: Any) -> dict[str, Any]:
    """A session of `turns` turns as native JSON data; `context` are its settings."""
    writer = _Writer(seed)
    pick = writer.random
    topic, made = 0, []
    for turn in range(turns):
        if pick.random() < 0.12:
            topic = pick.randrange(_TOPICS)
        rounds = []
        if pick.random() < 0.1:
            call = f"call_{turn}"
            rounds.append(
                {
                    "assistant": writer.text(topic, 1),
                    "tool_calls": [{"id": call, "name": "look_up", "arguments": {"job": pick.randrange(4000)}}],
                    "tool_results": [{"call_id": call, "content": writer.text(topic, 3)}],
                }
            )
        user, answer = writer.text(topic, pick.randint(1, 2)), writer.text(topic, pick.randint(3, 9))
        made.append({"user": user, "rounds": rounds, "assistant": answer})
    components = [
        {"name": "instructions", "content": writer.text(0, 12), "priority": 100, "truncatable": False},
        {"name": "documents", "content": writer.text(1, 80), "priority": 60},
    ]
    return {"format": "ctxinspect/1", "components": components, "context": context, "turns": made}


def long_session(turns: int, seed: int = 7, **context: Any) -> Session:
    """The session of `session_data`."""
    return Session.model_validate(session_data(turns, seed, **context))
