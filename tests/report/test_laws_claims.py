"""Claims: numbers, silence, and sentences about the engine."""

from __future__ import annotations

import pytest

from brief_support import RECORD, broken


@pytest.mark.parametrize(
    "body",
    [
        "It has 12,345 likes.", "It has 12.345 Likes.", "It has 12 345 likes.",
        "It has 12K likes.", "12.3K likes in all.", "有 1.2万 个赞。", "12,000 likes.",
        "950 replies.", "402 upvotes.", "402 votes", "77 votes", "312 points, 121 comments",
        "Odds stand at 63%.", "Odds stand at 63 percent.", "百分之63", "63 Prozent",
        "€1,499", "1.499 €", "1499 euros", "1,2 millones de yenes", "1.2 million yen",
        "$14K of volume", "$14,230", "$14,000", "40% of the frame", "62% ... 62.4 %",
        "14K in all", "+5 points in a week", "2026 was a year, 3 riders, 5 posts, 10 km.",
        "GPT-5 comments on bikes.", "有5个赞助商，9个欧洲国家。", "It is 7 times 8.",
    ],
)  # fmt: skip
def test_numbers_of_the_evidence_pass(body: str) -> None:
    """Exact, or rounded as the envelope rounds, in the notation of any language."""
    assert broken(f"So: {body}") == []


@pytest.mark.parametrize(
    "body",
    [
        "12,346 likes", "13K likes", "12.4K likes", "1.3万个赞", "5,000 views", "403 upvotes",
        "64%", "6.3%", "64 percent", "百分之64", "€1,500", "1500 euros", "$15K", "2 million yen",
        "About 10,000 likes", "999 me gusta", "88 Kommentare", "77 000 vues", "123いいね",
    ],
)  # fmt: skip
def test_numbers_of_nobody_do_not(body: str) -> None:
    """Near misses, estimates and inventions."""
    assert broken(f"So: {body}.") == ["numbers"]


def test_numbers_inside_quotes_are_the_quotes() -> None:
    """A quote that was never said is one violation, not two."""
    assert broken('They say "it has 5,000,000 likes by now".') == ["LAW 9"]


_SILENT = {
    "en": [
        "Nobody on {} talks about it.", "{} is quiet.", "{} has been completely silent.",
        "There is no discussion on {}.", "No posts on {} mention it.", "Crickets on {}.",
        "{} users did not mention it.", "Silence on {}.", "Nothing was posted on {}.",
        "No one over at {} seems to care.", "X is loud, but {} stayed silent.",
    ],
    "zh": ["{} 上没人讨论。", "{}上没有任何讨论。", "{} 一片安静。", "{}上无人问津。", "在{}没有人谈它。"],
    "es": ["En {} nadie habla de eso.", "No hay publicaciones en {}.", "{} está en silencio.",
           "{} guarda silencio."],
    "de": ["Auf {} spricht niemand darüber.", "Niemand auf {} redet davon.", "{} schweigt.",
           "Auf {} ist es still.", "Auf {} gibt es keine Diskussion."],
    "fr": ["Sur {}, personne n'en parle.", "Aucune discussion sur {}.", "{} reste silencieux."],
    "ja": ["{}では誰も話していない。", "{}では誰も言及していません。", "{}は静かだった。",
           "{}での議論はなかった。"],
}  # fmt: skip
_ALL_SILENT = [said for many in _SILENT.values() for said in many]


@pytest.mark.parametrize("said", _ALL_SILENT)
def test_coverage_sees_silence_that_nobody_heard(said: str) -> None:
    """Of a source that was blocked, in six languages."""
    assert broken(said.format("Bluesky")) == ["coverage"]


@pytest.mark.parametrize("said", _ALL_SILENT)
def test_coverage_lets_a_seen_source_be_silent(said: str) -> None:
    """Where everything answered, nothing found is a finding."""
    assert broken(said.format("Reddit")) == []


@pytest.mark.parametrize(
    "body",
    [
        "Bluesky could not be seen; that is not the same as silence.",
        "Bluesky was blocked, so we do not know whether anybody talks about it there.",
        "Nobody talks about the price.", "The bike is quiet. Bluesky was not seen.",
        "On Reddit nobody complains, while Bluesky was blocked.",
        "Bluesky 无法读取，不代表没有人讨论。", "No se pudo leer Bluesky, no sabemos si nadie habla.",
        "Bluesky konnte nicht gelesen werden; ob dort niemand spricht, ist offen.",
        "Bluesky n'a pas pu être lu, rien ne dit que personne n'en parle.",
        "Blueskyは確認できませんでした。", 'One says "Bluesky is quiet" of it.'.replace("Bluesky", "it"),
        "Nobody rides on the web of roads.",
    ],
)  # fmt: skip
def test_coverage_lets_what_was_not_seen_be_said(body: str) -> None:
    """Sentences that say so are what is wanted."""
    assert "coverage" not in broken(body)


@pytest.mark.parametrize(
    "body",
    [
        "Bluesky was quiet about it, and YouTube was not searched.",
        "YouTube could not be read, and on Bluesky nobody talks about it.",
        "On Bluesky nobody has covered it.", "Bluesky users said nothing.",
        "Bluesky: nothing.", "Bluesky yielded nothing.", "It did not make it to Bluesky.",
        "Bluesky users did not bother with it.", "Bluesky seems indifferent.",
    ],
)  # fmt: skip
def test_coverage_takes_no_other_source_for_an_excuse(body: str) -> None:
    """That one was not seen says nothing of another; and plainer words of silence."""
    assert broken(body) == ["coverage"]


def test_coverage_knows_subreddits() -> None:
    """They are a part of Reddit."""
    status = {**RECORD["source_status"], "reddit": RECORD["source_status"]["bluesky"]}
    record = {**RECORD, "source_status": status}
    body = "Nobody on r/motorbikes mentions it."
    assert broken(body) == [] and broken(body, record) == ["coverage"]


@pytest.mark.parametrize("name", ["Bluesky", "the web", "YouTube"])
def test_coverage_knows_what_was_never_asked(name: str) -> None:
    """Blocked, not asked, or no source of this run at all."""
    assert broken(f"Nobody talks about it on {name}.") == ["coverage"]


@pytest.mark.parametrize(("items", "laws"), [([], ["coverage"]), (None, [])])
def test_coverage_of_all(items: list[object] | None, laws: list[str]) -> None:
    """Without any evidence, nobody at all is a claim on those who were not seen."""
    record = RECORD if items is None else {**RECORD, "items": items}
    body = "Nobody is talking about the Foo bike."
    rest = {} if items is None else {"rest": ""}
    assert broken(body, record, **rest) == laws


@pytest.mark.parametrize(
    "body",
    [
        "The highest-scoring cluster suggests that riders are happy.",
        "The engine found mostly praise.", "The top cluster is about brakes.",
        "The search query returned little.", "Posts were pruned as off-topic.",
        "My queries covered brakes.", "Its relevance score is high.",
        "The tool retrieved mostly reviews.", "Three clusters emerged.",
        "We dropped 22 off-topic posts.", "Of 61 posts found, 39 were about bikes.",
        "According to the engine, riders are happy.", "This skill found praise.",
        "引擎检索到的多是好评。", "相关性得分最高的是刹车。", "第一个聚类在谈刹车。",
        "El motor encontró elogios.", "La puntuación de relevancia es alta.",
        "Die Suchmaschine lieferte Lob.", "Der größte Cluster lobt die Bremsen.",
        "Le moteur a trouvé des éloges.", "Le score de pertinence est haut.",
        "エンジンが取得した投稿は好意的だ。", "関連度スコアが高い。",
    ],
)  # fmt: skip
def test_law_9_sees_talk_about_the_engine(body: str) -> None:
    """Its steps, scores, queries and clusters, in six languages."""
    assert broken(body) == ["LAW 9"]


@pytest.mark.parametrize(
    "body",
    [
        "The engine of the old one is missed by nobody.", "The tool kit is fine.",
        "Complaints cluster around the brakes.", "The question is whether it ships.",
        "A pruned hedge hides it.", "It scores with commuters.", "They ran a search for it.",
        "The judge said no.", "The tool found a bug in it.", "The engine kept dying.",
        "The roses were pruned.", "From lane 4 to lane 5.", "The artifact shows wear.", "Its relevance for commuters grows.", "The run was long.",
    ],
)  # fmt: skip
def test_law_9_knows_the_same_words_of_the_world(body: str) -> None:
    """Engines, tools and scores that are not the program's."""
    assert broken(body) == []


def test_law_9_lets_a_topic_be_about_such_things() -> None:
    """Words of the topic, or of what the paragraph cites, are the topic's."""
    thread = RECORD["items"][2]["url"]
    body = "Three clusters hold rust."
    assert broken(body) == ["LAW 9"]
    assert broken(f"Three clusters hold rust ([u/dora_x]({thread})).") == []
    assert broken(body, {**RECORD, "topic": "Foo bike cluster"}) == []
