"""The judge of a corpus: ratio, floods, lists and counts by account."""

from __future__ import annotations

from typing import Any

import pytest

from engine.model import Item
from engine.text.question import prepare
from engine.x.judge import (
    CORPUS_ON_TOPIC_FLOOR,
    HANDLE_ON_TOPIC_FLOOR,
    MIN_ON_TOPIC_HITS,
    judge,
    judge_x_corpus,
)

Post = dict[str, Any]

ROME = [
    "Landed in Rome an hour late, the train from the airport was packed",
    "Best supplì of my life at a counter in Rome near the river",
    "Rome in November: mild, quiet, golden light on the Tiber",
    "Has anyone tried the night bus in Rome? It never came",
    "We spent the rain inside a museum in Rome and loved it",
    "Taxi strike in Rome tomorrow from eight in the morning",
    "The tourist tax in Rome goes up to ten euros a night",
    "Sunset from the hill, Rome never disappoints",
    "I moved to Rome in spring and still fight with paperwork",
    "A map of every drinking fountain in Rome, free to print",
    "Crowds at the fountain in Rome are back to normal",
    "Our guide in Rome knew every stone of the forum",
    "Metro works in Rome close two stations until Friday",
    "Honest question: is four days enough for Rome?",
    "Cheap and great pasta in Rome, thread with addresses",
    "Rome marathon sign-up opens on Monday",
]
ELSEWHERE = [
    "Steel tariffs rise again, the ministry announced on Friday",
    "What a goal in the last minute, incredible evening",
    "Prague castle at dawn, nothing more beautiful",
    "Kyoto in autumn is a dream, save this",
    "The coalition collapsed and elections are called for March",
    "This border crossing stays closed until further notice",
    "Name a city more charming than Vienna, I will wait",
    "A mountain lake in Switzerland, no filter",
    "Our new mixtape drops at midnight",
    "Giveaway: repost to win a phone",
    "Coffee first, everything else later",
    "The senator would not answer about the budget",
    "A fox in my garden this morning",
    "Lisbon trams in the rain",
    "My cat sleeps on the router again",
    "New paper on protein folding, thread below",
    "Which team takes the league this year?",
    "Paris from above, good night everyone",
    "Good morning from a village in the Alps",
    "Shares fell three percent after the report",
    "Does anybody else hate Mondays",
    "He scored thirty points and sat out the fourth quarter",
    "Sourdough finally worked on the sixth try",
    "The comet is visible again tonight",
    "Rainbow over the harbour of Bergen",
    "Parliament votes on the pension bill at noon",
    "Her first marathon, in under four hours",
    "An octopus opened the jar in two minutes",
    "Snow closed the pass for a third day",
    "Tickets for the museum ball sold out",
    "The bakery on my street closes for good",
    "Old maps of Vienna, scanned and free",
]


def posts(texts: list[str], handle: str = "") -> list[Post]:
    """Posts of one account."""
    return [{"author_handle": handle, "text": text} for text in texts]


def test_thresholds_are_those_of_the_contract() -> None:
    """Other tools rely on these numbers."""
    assert (CORPUS_ON_TOPIC_FLOOR, HANDLE_ON_TOPIC_FLOOR) == (0.4, 0.5)
    assert MIN_ON_TOPIC_HITS == 2


def test_empty_corpus_is_no_flood() -> None:
    """Nothing came back: that is no reason to ask again."""
    assert judge_x_corpus([], "Rome") == {
        "on_topic_ratio": 1.0,
        "is_off_topic_flood": False,
        "on_topic_items": [],
        "off_topic_items": [],
        "handle_stats": {},
    }


@pytest.mark.parametrize("topic", ["Rome", "Rome Italy"])
@pytest.mark.parametrize("count", [4, 8, 16])
def test_corpus_all_about_the_topic_is_no_flood(topic: str, count: int) -> None:
    """Where all posts name the topic, none of them sets it apart, and all stay."""
    found = judge_x_corpus(posts(ROME[:count]), topic)
    assert found["on_topic_ratio"] == 1.0
    assert not found["is_off_topic_flood"]
    assert len(found["on_topic_items"]) == count


def test_flood_of_other_posts_is_told() -> None:
    """Eight posts about the topic among forty are a flood, and exactly those stay."""
    good, bad = posts(ROME[:8]), posts(ELSEWHERE)
    found = judge_x_corpus(bad[:16] + good + bad[16:], "Rome")
    assert found["on_topic_ratio"] == 8 / 40
    assert found["is_off_topic_flood"]
    assert found["on_topic_items"] == good
    assert found["off_topic_items"] == bad


@pytest.mark.parametrize(("good", "flood"), [(16, False), (15, True)])
def test_ratio_at_the_edge_of_a_flood(good: int, flood: bool) -> None:
    """Clear posts count in full, so the edge lies at exactly 16 of 40."""
    corpus = posts(ROME[:good]) + posts(ELSEWHERE[: 40 - good])
    found = judge_x_corpus(corpus, "Rome")
    assert found["on_topic_ratio"] == good / 40
    assert found["is_off_topic_flood"] is flood


@pytest.mark.parametrize(
    ("topic", "texts"),
    [
        ("AI", ["She said hi", "They said maybe", "Rain again in the afternoon"]),
        ("Rome", ["The promoter of the gig", "Chromebook for sale"]),
        ("US", ["Tell us what you think", "They told us nothing"]),
    ],
    ids=["letters inside a word", "name inside a word", "pronoun"],
)
def test_likeness_of_letters_is_no_match(topic: str, texts: list[str]) -> None:
    """A topic is a whole word, and an acronym stands in capitals."""
    assert judge_x_corpus(posts(texts), topic)["on_topic_items"] == []


def test_acronym_is_met_by_its_capitals() -> None:
    """The pronoun is no post about the country, its acronym is."""
    country = posts(["The US is expanding trade", "Wildfires in the western US"])
    found = judge_x_corpus([*country, *posts(["Tell us what you think"])], "US")
    assert found["on_topic_items"] == country


def test_pronoun_adds_nothing_to_other_words() -> None:
    """Of two posts that name the economy, the pronoun lifts neither."""
    texts = ["Tell us about the economy", "Tell me about the economy"]
    question = prepare("US economy")
    first, second = judge(posts(texts), question).verdicts
    assert first is not None and second is not None
    assert abs(first.relevance - second.relevance) < 0.05


def test_handles_are_counted_in_lower_case() -> None:
    """All posts of an account count, and the likely ones among them."""
    corpus = [
        *posts([ROME[0], ELSEWHERE[0]], "Anna_In_Town"),
        *posts([ROME[1], ROME[2]], "bruno_eats"),
        *posts([ELSEWHERE[3]]),
    ]
    assert judge_x_corpus(corpus, "Rome")["handle_stats"] == {
        "anna_in_town": {"total": 2, "on_topic": 1},
        "bruno_eats": {"total": 2, "on_topic": 2},
    }


def test_account_that_floods_makes_a_flood_even_at_half_the_ratio() -> None:
    """One good post without an author against a frequent account that has none."""
    corpus = [*posts([ROME[0]]), *posts([ELSEWHERE[0]], "loud_one")]
    found = judge_x_corpus(corpus, "Rome")
    assert found["on_topic_ratio"] == 1 / 2
    assert found["is_off_topic_flood"]


def test_two_good_posts_are_no_flood_at_half_the_ratio() -> None:
    """Two posts on topic are evidence enough."""
    corpus = [*posts(ROME[:2]), *posts(ELSEWHERE[:2], "loud_one")]
    assert not judge_x_corpus(corpus, "Rome")["is_off_topic_flood"]


def test_ranking_query_replaces_the_topic() -> None:
    """Posts answer the question that was asked, not the topic it came from."""
    naples = posts(["The best pizza oven in Naples is older than the street"])
    rome = posts(["Rome in November is quiet"])
    found = judge_x_corpus(
        naples + rome, "Rome", ranking_query="Where is the best pizza in Naples?"
    )
    assert found["on_topic_items"] == naples
    assert found["off_topic_items"] == rome


def test_flooders_are_the_frequent_accounts_that_are_off_topic() -> None:
    """Of the three most frequent, ties by handle; a good account is none."""
    corpus = [
        *posts(ELSEWHERE[:4], "zz_frames"),
        *posts(ELSEWHERE[4:8], "desk_news"),
        *posts(ROME[:4], "bruno_eats"),
        *posts(ELSEWHERE[8:9], "quiet_one"),
    ]
    assert judge(corpus, prepare("Rome")).flooders == ["desk_news", "zz_frames"]


@pytest.mark.parametrize("empty", ["", "   ", None])
def test_items_without_text_are_not_judged(empty: str | None) -> None:
    """They stand in no list and change no ratio, but their author is counted."""
    picture = {"author_handle": "snaps", "text": empty}
    found = judge([*posts(ROME[:2]), picture], prepare("Rome"))
    assert found.on_topic_ratio == 1.0
    assert picture not in found.on_topic + found.off_topic
    assert found.verdicts[2] is None
    assert found.handle_stats == {"snaps": {"total": 1, "on_topic": 0}}


def test_the_objects_given_come_back() -> None:
    """Items and dicts alike: the same objects, not copies."""
    item = Item(id="1", source="x", text=ROME[0], author_handle="anna")
    found = judge_x_corpus([item], "Rome")
    assert found["on_topic_items"][0] is item


def test_name_and_handle_are_not_read() -> None:
    """An account whose name carries the topic gains nothing by it."""
    post = {"author_handle": "rome", "author_name": "Rome Italy", "text": ELSEWHERE[0]}
    assert judge_x_corpus([post], "Rome")["off_topic_items"] == [post]


def test_rome_incident() -> None:
    """Twelve of forty posts name the city or the player of that name: a flood."""
    local = posts(ROME[:4], "pasta_e_basta")
    visitors = posts(ROME[4:8])
    player = [
        "Rome Odell with a thirty yard touchdown catch",
        "Start or sit: Rome Odell against the Wolves?",
        "Rome Odell is questionable for Sunday",
        "Rome Odell will be a star in Chicago",
    ]
    club = [
        "Three points for the Lupi, what a derby",
        "Line-up tonight: Conti on the bench",
    ]
    corpus = [
        *local,
        *visitors,
        *posts(player, "gridiron_fan"),
        *posts(ELSEWHERE[:10], "desk_news"),
        *posts(ELSEWHERE[10:20], "dream_frames"),
        *posts(ELSEWHERE[20:26]),
        *posts(club, "lupi_fans"),
    ]
    found = judge_x_corpus(corpus, "Rome")
    assert found["on_topic_ratio"] == 12 / 40
    assert found["is_off_topic_flood"]
    assert found["handle_stats"]["pasta_e_basta"] == {"total": 4, "on_topic": 4}
    assert found["handle_stats"]["desk_news"]["on_topic"] == 0
    assert found["handle_stats"]["dream_frames"]["on_topic"] == 0
