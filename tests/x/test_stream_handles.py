"""The X loop follows handles: those given always, those found if they earn it."""

from __future__ import annotations

import pytest

from engine.model import Depth, Item
from engine.x.stream import Stream
from fakes.rome import BARE, FLOOD, GOOD, TOPIC, off, on, search
from fakes.xposts import post


def ids(items: list[Item]) -> set[str]:
    """The ids of items."""
    return {item.id for item in items}


def lane_of(stream: Stream) -> dict[str, str]:
    """The lane by which each shown item is known."""
    return {item.id: item.lane for item in stream.items}


ADA = off("ada", 3, "Ada")


@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize("corpus", [GOOD, FLOOD, []], ids=["good", "flood", "empty"])
def test_an_explicit_handle_always_gets_its_lane(
    corpus: list[Item], depth: Depth
) -> None:
    """Without the topic; what it wrote stays although it names no topic."""
    table = {TOPIC: corpus, "from:ada": ADA}
    stream, backend = search(table, depth=depth, explicit=("ada",))
    assert {"from:ada", "mention:ada"} <= set(backend.kinds)
    assert ids(ADA) <= ids(stream.items)
    assert {lane_of(stream)[item.id] for item in ADA} == {"from"}


def test_a_related_handle_gets_its_lane() -> None:
    """Three posts, kept too, but no first party: three an author."""
    table = {TOPIC: GOOD, "from:nuria": off("n", 6, "nuria")}
    stream, backend = search(table, related=("nuria",))
    assert backend.kinds == [TOPIC, "from:nuria"]
    assert [ask.limit for ask in backend.asked][-1] == 3
    assert sum(item.author_handle == "nuria" for item in stream.items) == 3


def test_mentions_of_an_explicit_handle_stay() -> None:
    """What others say to it is what the user asked for; its own words are not."""
    said = [post("m1", "@ada your talk was great", "bo"), post("m2", "@ada hm", "ada")]
    stream, _ = search({TOPIC: GOOD, "mention:ada": said}, explicit=("ada",))
    assert lane_of(stream)["m1"] == "mention"
    assert "m2" not in lane_of(stream)


def test_the_name_lane_is_judged() -> None:
    """X finds a name in display names too: that would let a flood in."""
    named = [post("n1", "Bentgo boxes leak", "bo"), *off("n", 4, "bentgo_deals")]
    stream, backend = search(
        {"Bentgo": [], "name:Bentgo": named}, "Bentgo", explicit=("bentgo",)
    )
    assert "name:Bentgo" in backend.kinds
    assert ids(stream.items) == {"n1"}


def test_a_post_of_a_named_handle_stays_whoever_found_it() -> None:
    """It came with the topic's corpus; its lane found it again."""
    own = off("ada", 1, "ada")
    stream, _ = search({TOPIC: [*GOOD, *own], "from:ada": own}, explicit=("ADA",))
    assert "ada1" in ids(stream.items)


def test_a_copy_that_is_pruned_takes_no_asked_post_with_it() -> None:
    """A bot that copies the account is off topic, the account is not."""
    text = "Big thing shipping today folks, read all about it on the blog"
    own, bot = post("own", text, "ada"), post("bot", text, "bot", likes=900)
    stream, _ = search({TOPIC: [*GOOD, bot], "from:ada": [own]}, explicit=("ada",))
    assert "own" in ids(stream.items)
    assert "bot" not in ids(stream.items)


def test_copies_counted_before_the_lanes_are_not_forgotten() -> None:
    """A lane that finds a post again changes only why it is here."""
    text = GOOD[0].text
    own, copy = post("own", text, "ada", likes=90), post("copy", text, "fan")
    stream, _ = search(
        {TOPIC: [*GOOD[1:], own, copy], "from:ada": [own]}, explicit=("ada",)
    )
    found = next(item for item in stream.items if item.id == "own")
    assert (found.lane, found.copies) == ("from", 1)


GUIDE = on("guide", 3, "guide")


def test_a_handle_that_earned_it_gets_a_lane_with_the_topic() -> None:
    """Its new posts are merged, known ones once, others' not at all."""
    new = on("new", 2, "guide")
    lane = "from:guide Rome Italy"
    answer = [*new, *GUIDE, post("alien", "Rome, Italy", "someone")]
    stream, backend = search({TOPIC: [*GOOD, *GUIDE], lane: answer})
    assert backend.kinds == [TOPIC, lane]
    assert stream.promotion.promoted == ("guide",)
    assert len(stream.items) == len({item.id for item in stream.items})
    assert ids(new) <= ids(stream.items)
    assert "alien" not in ids(stream.items)
    assert lane_of(stream)["guide1"] == "topic"
    assert lane_of(stream)["new1"] == "from-topic"


def test_off_topic_posts_of_a_promoted_lane_leave() -> None:
    """Being promoted is no immunity."""
    lane = "from:guide Rome Italy"
    stream, _ = search({TOPIC: [*GOOD, *GUIDE], lane: off("junk", 3, "guide")})
    assert not ids(off("junk", 3)) & ids(stream.items)


def test_frequent_and_off_topic_earns_nothing() -> None:
    """The account that floods is refused with its figures."""
    stream, backend = search({TOPIC: FLOOD, BARE: []})
    assert not any(kind.startswith("from:") for kind in backend.kinds)
    refused = {r.handle: (r.on_topic, r.total) for r in stream.promotion.refused}
    assert refused["desk"] == (0, 32)


def test_two_of_eight_is_refused_although_pruning_would_leave_two() -> None:
    """The corpus before pruning decides."""
    posts = [*on("c", 2, "cities"), *off("d", 6, "cities")]
    stream, backend = search({TOPIC: [*GOOD, *posts]})
    assert backend.kinds == [TOPIC]
    assert stream.promotion.promoted == ()


def test_copies_earn_nobody_a_lane() -> None:
    """One post three times is one post."""
    copies = [post(f"c{i}", GOOD[0].text, "spammer") for i in range(3)]
    stream, backend = search({TOPIC: [*GOOD[1:], *copies]})
    assert backend.kinds == [TOPIC]
    refused = {r.handle: (r.on_topic, r.total) for r in stream.promotion.refused}
    assert refused["spammer"] == (1, 1)


def test_nobody_is_promoted_at_quick() -> None:
    """Quick is one call and the lanes of named handles."""
    _, backend = search({TOPIC: [*GOOD, *GUIDE]}, depth=Depth.QUICK)
    assert backend.kinds == [TOPIC]


def test_three_handles_at_most() -> None:
    """However many earned it."""
    guides = [item for n in range(5) for item in on(f"g{n}x", 3, f"guide{n}")]
    stream, backend = search({TOPIC: guides})
    lanes = [kind for kind in backend.kinds if kind.startswith("from:")]
    assert len(lanes) == len(stream.promotion.promoted) == 3


def test_a_named_handle_is_not_promoted_as_well() -> None:
    """One lane for each account."""
    _, backend = search({TOPIC: [*GOOD, *GUIDE]}, explicit=("Guide",))
    lanes = [kind for kind in backend.kinds if kind.startswith("from:")]
    assert lanes == ["from:Guide"]


@pytest.mark.parametrize(
    ("explicit", "shown"),
    [((), 3 + 2), (("guide",), 3 + 5)],
    ids=["promoted-5", "first-party-8"],
)
def test_caps(explicit: tuple[str, ...], shown: int) -> None:
    """Three an author, five if promoted, eight for a first party."""
    many, others = on("many", 12, "guide"), on("other", 12, "other")
    stream, _ = search(
        {TOPIC: [*many, *off("o", 9, "other"), *others[:5]]}, explicit=explicit
    )
    counts = [item.author_handle for item in stream.items]
    assert counts.count("guide") == shown
    capped = [d for d in stream.dropped if d.reason == "author-cap"]
    assert sum(d.item.author_handle == "guide" for d in capped) == 12 - shown
