"""Named cases of relevance: for each, the good posts rank above all others."""

from __future__ import annotations

import pytest

from engine.text.relevance import RELEVANCE_FLOOR, Verdict, prepare, weigh

# name, topic, ranking query, good posts, other posts
SENSES = [
    (
        "the city and not the player",
        "Rome",
        "What are people saying about visiting the city of Rome: food, museums, prices?",
        [
            "Food tip for Rome: the market counters are the best in the city",
            "Visiting Rome with kids, which museums in the city open late?",
            "Prices in Rome hotels doubled, the city is full",
            "Trains to Rome are late, tourists stuck at the station",
            "A rainy day in Rome, the museums were packed",
            "Sunset over Rome from the hill",
        ],
        [
            "Rome Odell with a thirty yard touchdown catch, Wolves lead",
            "Start or sit: Rome Odell this week?",
            "Rome Odell will be a star in Chicago",
            "Injury update: Rome Odell questionable for Sunday",
            "Forza Roma! Three points against the rivals",
            "AS Roma line-up tonight: Conti on the bench",
        ],
    ),
    (
        "the player and not the city",
        "Rome Odell",
        "",
        [
            "Rome Odell with a thirty yard touchdown catch, Wolves lead",
            "Start or sit: Rome Odell this week?",
            "Rome Odell will be a star in Chicago",
            "Injury update: Rome Odell questionable for Sunday",
        ],
        [
            "Food tip for Rome: the market counters are the best in the city",
            "Visiting Rome with kids, which museums open late?",
            "Prices in Rome hotels doubled this autumn, the city is full",
            "Trains to Rome are late again, tourists stuck at the station",
            "Visiting Rome in spring: which museums in the city are the best?",
            "A rainy day in Rome, the museums were packed",
            "Forza Roma! Three points against the rivals",
        ],
    ),
    (
        "Clerk",
        "Clerk",
        "What do developers say about Clerk, the login and authentication product?",
        [
            "Clerk or something else for login in a new app?",
            "We moved authentication to Clerk in one afternoon",
            "Clerk pricing went up, looking for another login provider",
            "switched from our own tokens to clerk, login just works",
        ],
        [
            "The county clerk certified the election results",
            "Ask the court clerk for the filing form",
            "A grocery clerk in Ohio saved my day",
            "Town clerk resigns after the audit",
        ],
    ),
    (
        "Linear",
        "Linear",
        "How do teams like Linear, the issue tracker for software projects?",
        [
            "Linear is the first issue tracker my team does not hate",
            "We moved all projects from spreadsheets to Linear",
            "Linear shipped a new view for software roadmaps",
        ],
        [
            "Today in class: linear algebra and why matrices matter",
            "A linear regression on the rain data of Bergen",
            "Growth is not linear, I keep telling my boss",
        ],
    ),
    (
        "Loom",
        "Loom",
        "Is Loom, the tool for screen recording and video messages, worth it?",
        [
            "Recorded a video message in Loom instead of another meeting",
            "Loom cut my screen recording at five minutes",
            "Half of our meetings are Loom videos",
        ],
        [
            "My grandmother taught me to weave on a wooden loom",
            "Dark clouds loom over the harbour of Oslo",
            "Strikes loom as the talks collapse in Leeds",
        ],
    ),
    (
        "Notion",
        "Notion",
        "What do people think of Notion, the app for notes and databases?",
        [
            "My whole life is in Notion databases by now",
            "Notion is slow on my phone, which app for notes do you use?",
            "Notes from the course, shared as a Notion page",
        ],
        [
            "The notion that more roads cure traffic is wrong, says Ann",
            "He had no notion of what was coming that Monday",
            "I reject the notion of a fair coin, said Bob",
        ],
    ),
    (
        "Apple",
        "Apple",
        "What is new from Apple, the maker of iPhone and Mac?",
        [
            "Apple shows a thinner iPhone",
            "My Mac died and Apple wants half its price for a repair",
            "Rumour: Apple moves the iPhone event to October",
        ],
        [
            "Baked an apple pie with cinnamon from the garden of Eve",
            "An apple a day, says my dentist in Graz",
            "Cider season: forty crates of apple and pear in Kent",
        ],
    ),
    (
        "Jaguar",
        "Jaguar",
        "Where do jaguars, the wild cats, still live in the forest?",
        [
            "A jaguar with two cubs on a forest camera in Belize",
            "Wild cats at risk: the jaguar lost half its forest",
            "Jaguars crossed the river again, the rangers say of the cats",
        ],
        [
            "The new Jaguar does zero to sixty in four seconds",
            "Test drive: Jaguar with electric engine, range and price",
            "Jaguar recalls sedans for a brake fault",
        ],
    ),
    (
        "Mercury",
        "Mercury",
        "What do we learn about the planet Mercury and its orbit?",
        [
            "The probe took pictures of the planet Mercury from its orbit",
            "Mercury is the smallest planet and the hardest to see",
            "Why the orbit of Mercury puzzled astronomers",
        ],
        [
            "Freddie Mercury on stage, what a voice",
            "Tuna and mercury: how much fish is safe?",
            "Freddie Mercury was born on Zanzibar",
        ],
    ),
    (
        "Amazon",
        "Amazon",
        "How fast does deforestation destroy the Amazon rainforest and its river?",
        [
            "Deforestation in the Amazon fell this year, satellites say",
            "The Amazon river is at its lowest level in decades",
            "Fires in the Amazon rainforest, smoke over the capital",
        ],
        [
            "My Amazon parcel went to the neighbour again",
            "Prime day at Amazon: the headphones I wanted are half price",
            "Amazon opens a warehouse with a thousand jobs",
        ],
    ),
    (
        "the Go language",
        "Go",
        "What do developers say about Go, the programming language and its generics?",
        [
            "Generics in Go made our code shorter",
            "Go is the programming language I deploy without fear",
            "Rewrote the parser in Go, twice as fast as before",
        ],
        [
            "Time to go home, what a Monday",
            "They go to Lisbon every spring",
            "Let us go and see the Alps",
        ],
    ),
]

MEETINGS = [
    ("artificial intelligence by capitals", "AI", ["AI writes my mail"], ["Ho detto ai ragazzi", "J'ai faim"]),
    ("health organisation", "WHO", ["The WHO warns of measles"], ["Who is there?"]),
    ("information technology", "IT", ["Jobs in IT pay well"], ["It rains in Bergen"]),
    ("country with dots", "US", ["The U.S. economy slows"], ["Tell us more"]),
    ("C++", "C++", ["I love C++23 ranges"], ["Vitamin C helps", "C is small"]),
    (".NET", ".NET", ["Moved to .NET 9"], ["The net profit rose", "Off the net"]),
    ("R", "R", ["Plots in R are pretty"], ["Are u ok? r u there", "C++ or Rust?"]),
    ("X", "X", ["Everyone leaves X again"], ["The fox ran", "Max is here"]),
    ("version", "React 19", ["Moved to React 19"], ["Still on React 18", "React 18 is fine"]),
    ("acronym spelt out", "AGI", ["Artificial general intelligence is near", "AGI by May"], ["Agile teams", "A general is ill"]),
    ("acronym for words", "artificial general intelligence", ["AGI by May"], ["Rain in Bergen"]),
    ("accents", "naïve", ["A naive plan", "Une idée naïve"], ["A native plan"]),
    ("Turkish capital", "İstanbul", ["ISTANBUL güzel", "istanbul'da yağmur"], ["Ankara soğuk"]),
    ("Arabic marks", "الشَّعب", ["إرادة الشعب", "صوت الشَّعْب"], ["مدينة كبيرة"]),
    ("Arabic conjunction", "السعودية", ["والسعودية تفوز"], ["مصر تفوز"]),
    ("Hebrew points", "שלום", ["שָׁלוֹם לכולם", "ושלום לך"], ["בוקר טוב"]),
    ("Chinese inside a run", "大模型", ["国产大模型评测出炉"], ["今天天气不错"]),
    ("mixed scripts", "GPT教程", ["新的GPT教程来了"], ["今天天气不错"]),
    ("Japanese", "ラーメン", ["東京のラーメンは最高"], ["今日は雨です"]),
    ("Thai", "กรุงเทพ", ["ฝนตกที่กรุงเทพวันนี้"], ["สวัสดีตอนเช้า"]),
    ("Thai letters in common", "รถไฟฟ้า", ["รถไฟฟ้าขัดข้องอีกแล้ว", "ค่ารถไฟฟ้าแพงมาก"], ["แมวที่บ้านน่ารักมาก", "รถเสียกลางทาง แย่จริง", "หมาข้างบ้านเห่าทั้งคืน"]),
    ("two Thai words", "กรุงเทพ น้ำท่วม", ["น้ำท่วมกรุงเทพอีกแล้ว", "ถนนในกรุงเทพน้ำท่วมรถติดมาก"], ["วันนี้กินข้าวมันไก่", "เพื่อนชวนไปเที่ยวทะเล", "อยากลดน้ำหนักแต่ชอบกินขนม"]),
    ("kana in common", "スマートフォン", ["新しいスマートフォンが届いた"], ["スーパーでトマトを買った", "チョコレートとソフトクリーム"]),
    ("Korean particle", "서울", ["서울에서 본 야경"], ["부산 바다"]),
    ("German compound", "Versicherung", ["Die Krankenversicherung wird teurer"], ["Der Hund schläft"]),
    ("Turkish ending", "deprem", ["Depremin ardından", "depremde üç yaralı"], ["Hava soğuk"]),
    ("Finnish ending", "Helsinki", ["Helsingissä sataa", "Matka Helsinkiin"], ["Turku on kaunis"]),
    ("Russian ending", "выборы", ["Итоги на выборах"], ["Погода хорошая"]),
    ("English plural", "glacier", ["Two glaciers are gone"], ["The glass broke"]),
    ("hashtag in one", "volcano", ["Look at this #icelandvolcano"], ["Look at this #sunset"]),
    ("inside a hashtag", "volcano", ["Look at #mtvolcanolive"], ["Look at #sunset"]),
    ("handle asked for", "@nasa", ["Great work @NASA"], ["Great work @esa"]),
    ("The Who", "The Who", ["Saw The Who live in Leeds"], ["The people who know", "The WHO meets", "Who is there?"]),
    ("This Is Us", "This Is Us", ["Crying over This Is Us again"], ["This is it", "Call us, this is new"]),
]  # fmt: skip


def of(topic: str, question: str, posts: list[str]) -> list[Verdict]:
    """Verdicts on a corpus."""
    return weigh(posts, prepare(topic, [question] if question else []))


@pytest.mark.parametrize(
    ("topic", "question", "good", "other"),
    [case[1:] for case in SENSES],
    ids=[case[0] for case in SENSES],
)
def test_question_decides_between_senses(
    topic: str, question: str, good: list[str], other: list[str]
) -> None:
    """Posts of the sense that is asked for stand above those of another."""
    verdicts = of(topic, question, good + other)
    wanted, rest = verdicts[: len(good)], verdicts[len(good) :]
    assert min(v.relevance for v in wanted) >= RELEVANCE_FLOOR
    assert min(v.relevance for v in wanted) > max(v.relevance for v in rest)


@pytest.mark.parametrize(
    ("topic", "good", "other"),
    [case[1:] for case in MEETINGS],
    ids=[case[0] for case in MEETINGS],
)
def test_topic_is_met(topic: str, good: list[str], other: list[str]) -> None:
    """Posts that name the topic are kept and likely, all others are thrown away."""
    verdicts = of(topic, "", good + other)
    assert all(v.likely for v in verdicts[: len(good)])
    assert all(v.relevance < RELEVANCE_FLOOR for v in verdicts[len(good) :])


def test_namesake_goes_if_the_question_is_about_the_city() -> None:
    """The player's posts are not only below: they may be thrown away."""
    _, topic, question, good, other = SENSES[0]
    verdicts = of(topic, question, good + other)
    assert all(v.relevance < RELEVANCE_FLOOR for v in verdicts[len(good) :])


LONG = (
    "How do visitors and residents of Lisbon judge its trams, restaurants, museums, "
    "hotels, prices, crowds and weather in the last 30 days?"
)


def test_long_question_keeps_a_post_that_answers_a_part_of_it() -> None:
    """However many words a question has, a post need not hold many of them."""
    posts = ["Trams in Lisbon stopped for an hour today", "My cat sleeps on the router"]
    kept, gone = of("Lisbon", LONG, posts)
    assert kept.likely
    assert gone.relevance < RELEVANCE_FLOOR


@pytest.mark.parametrize(
    "post",
    [
        "In the last 30 days I lost five kilos",
        "What happened in the last days?",
        "People are saying a lot of things these days",
        "The latest news of the last month",
    ],
)
def test_scaffolding_of_a_question_is_no_topic(post: str) -> None:
    """Words that any question has never make a post relevant."""
    question = "What notable events involving Kanye West happened in the last 30 days?"
    posts = [post, "Kanye West drops an album", "Kanye West cancels a show"]
    verdicts = of("Kanye West", question, posts)
    assert verdicts[0].relevance < RELEVANCE_FLOOR
    assert verdicts[1].likely and verdicts[2].likely
    assert of("Lisbon", LONG, [post])[0].relevance < RELEVANCE_FLOOR
