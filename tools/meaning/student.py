"""The table while it learns: each word has a row of numbers, and a text is the sum of those."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from words import split_words

DIMENSIONS = 256
EPOCHS = 4
BATCH = 256
RATE = 0.002
LAST_RATE = 0.05  # of RATE
COMMON = 1e-3  # share of all words from which on a word says little
CONTRAST = 0.5  # weight of telling the teacher's text from the others of the batch
TEACHER_HEAT = 0.07
PAIR_HEAT = 0.07
SMALL_TEACHER_HEAT = 0.08
NEIGHBOUR_HEAT = 0.1


@dataclass(frozen=True)
class Vocabulary:
    words: list[str]  # the commonest first
    counts: np.ndarray
    vectors: np.ndarray  # of the teacher, of each word alone


@dataclass(frozen=True)
class Lessons:
    texts: list[str]
    targets: np.ndarray  # of the teacher, a row for each text
    langs: np.ndarray
    pairs: list[tuple[str, str]]
    small_rows: np.ndarray  # texts that the small teacher read too
    small_targets: np.ndarray


def unit(rows):
    return rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9)


def softmax(rows):
    powers = np.exp(rows - rows.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def find_directions(targets):
    """The directions in which the teacher's vectors differ most, as columns."""
    _, directions = np.linalg.eigh(targets.T @ targets)
    return directions[:, ::-1][:, :DIMENSIONS].astype(np.float32)


def remove_mean_of_langs(targets, langs):
    """Without what the texts of a language have in common; of a rare one, what all texts have."""
    centred = targets - targets.mean(0)
    for lang in np.unique(langs):
        of_lang = langs == lang
        if of_lang.sum() >= 1000:
            centred[of_lang] = targets[of_lang] - targets[of_lang].mean(0)
    return centred


def start_rows(vocabulary, directions):
    """The teacher's vector of each word, shorter the commoner the word is.
    Source: Arora, Liang & Ma 2017, smooth inverse frequency."""
    rows = unit((vocabulary.vectors - vocabulary.vectors.mean(0)) @ directions)
    share = vocabulary.counts / vocabulary.counts.sum()
    return (rows * (COMMON / (COMMON + share))[:, None]).astype(np.float32)


def count_matrix(texts, words):
    """How often each text has each word, a row for each text."""
    column_of = {word: i for i, word in enumerate(words)}
    rows, columns = [], []
    for i, text in enumerate(texts):
        for word in split_words(text):
            column = column_of.get(word)
            if column is not None:
                rows.append(i)
                columns.append(column)
    ones = np.ones(len(rows), np.float32)
    matrix = sp.csr_matrix((ones, (rows, columns)), shape=(len(texts), len(words)))
    matrix.sum_duplicates()
    return matrix


def filled_rows(*matrices):
    """Rows that have a word in each of the matrices."""
    return np.flatnonzero(np.all([np.diff(matrix.indptr) > 0 for matrix in matrices], axis=0))


class Rows:
    """The numbers, and Adam's memory of how they moved; a row moves only in a batch that has it."""

    def __init__(self, start):
        self.values = start.copy()
        self.rate = RATE
        self._first = np.zeros_like(start)
        self._second = np.zeros_like(start)
        self._steps = np.zeros(len(start), np.int32)

    def encode(self, counts):
        """Vectors of length 1, and what `learn` needs."""
        used, columns = np.unique(counts.indices, return_inverse=True)
        counts = sp.csr_matrix((counts.data, columns, counts.indptr), (counts.shape[0], len(used)))
        sums = counts @ self.values[used]
        lengths = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
        vectors = sums / lengths
        return vectors, (counts, used, vectors, lengths)

    def learn(self, encoded, gradient):
        """@param gradient of the loss, for the vectors of length 1"""
        counts, used, vectors, lengths = encoded
        along = (gradient * vectors).sum(1, keepdims=True)
        self._move(used, counts.T @ ((gradient - vectors * along) / lengths))

    def _move(self, used, gradient):
        self._steps[used] += 1
        step = self._steps[used][:, None]
        first = self._first[used] = 0.9 * self._first[used] + 0.1 * gradient
        second = self._second[used] = 0.99 * self._second[used] + 0.01 * gradient * gradient
        mean, square = first / (1 - 0.9**step), second / (1 - 0.99**step)
        self.values[used] -= self.rate * mean / (np.sqrt(square) + 1e-8)


def imitate(rows, counts, targets):
    """A text is to be where the teacher has it, and nearer to that than to the batch's others."""
    vectors, encoded = rows.encode(counts)
    likely = softmax(vectors @ targets.T / TEACHER_HEAT)
    np.fill_diagonal(likely, likely.diagonal() - 1)
    gradient = CONTRAST / TEACHER_HEAT * (likely @ targets) - targets
    rows.learn(encoded, gradient / len(targets))
    return (vectors * targets).sum(1).mean()


def join_pairs(rows, left_counts, right_counts):
    """Each text of a pair is to be nearest to the other. Source: InfoNCE, van den Oord 2018."""
    left, left_encoded = rows.encode(left_counts)
    right, right_encoded = rows.encode(right_counts)
    products = left @ right.T / PAIR_HEAT
    to_right, to_left = softmax(products), softmax(products.T)
    loss = -np.log(to_right.diagonal() + 1e-9).mean()
    wrong = to_right + to_left.T - 2 * np.eye(len(left), dtype=np.float32)
    weight = 1 / (2 * PAIR_HEAT * len(left))
    rows.learn(left_encoded, wrong @ right * weight)
    rows.learn(right_encoded, wrong.T @ left * weight)
    return loss


def match_neighbours(rows, counts, targets):
    """Who is near to whom in a batch is to be as the small teacher has it."""
    vectors, encoded = rows.encode(counts)
    itself = np.eye(len(targets), dtype=np.float32) * 1e4
    wrong = softmax(vectors @ vectors.T / NEIGHBOUR_HEAT - itself)
    wrong -= softmax(targets @ targets.T / SMALL_TEACHER_HEAT - itself)
    rows.learn(encoded, (wrong + wrong.T) @ vectors / (NEIGHBOUR_HEAT * len(targets)))


def train(vocabulary, lessons, seed=0):
    """The row of each word, before rare words are left out."""
    centred = remove_mean_of_langs(lessons.targets, lessons.langs)
    directions = find_directions(centred)
    targets = unit(centred @ directions)
    small_targets = unit(lessons.small_targets - lessons.small_targets.mean(0))
    counts = count_matrix(lessons.texts, vocabulary.words)
    left, right = (count_matrix(side, vocabulary.words) for side in zip(*lessons.pairs))
    small = counts[lessons.small_rows]
    texts_there, pairs_there = filled_rows(counts), filled_rows(left, right)
    small_there = filled_rows(small)

    chance = np.random.default_rng(seed)
    rows = Rows(start_rows(vocabulary, directions))
    batches = len(texts_there) // BATCH
    for epoch in range(EPOCHS):
        text_order = chance.permutation(texts_there)
        pair_order = chance.permutation(pairs_there)
        nearness = loss = 0
        for batch in range(batches):
            done = (epoch * batches + batch) / (EPOCHS * batches)
            rows.rate = RATE * max(LAST_RATE, 1 - done)
            places = np.arange(batch * BATCH, (batch + 1) * BATCH)
            chosen = text_order[places]
            nearness += imitate(rows, counts[chosen], targets[chosen]) / batches
            chosen = chance.choice(small_there, BATCH)
            match_neighbours(rows, small[chosen], small_targets[chosen])
            chosen = pair_order[places % len(pair_order)]
            loss += join_pairs(rows, left[chosen], right[chosen]) / batches
        print(
            f"epoch {epoch + 1}: cosine to the teacher {nearness:.4f}, loss of pairs {loss:.4f}",
            flush=True,
        )
    return rows.values
