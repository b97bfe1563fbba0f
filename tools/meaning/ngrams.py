"""Rows of n-grams, for words that have no row."""

import numpy as np
import scipy.sparse as sp

from words import find_buckets

BUCKETS = 8192
RIDGE = 0.02
STEPS = 25


def fit_buckets(words, rows, buckets=BUCKETS):
    """Rows whose mean over the n-grams of a word is near to the word's row: ridge regression, by
    conjugate gradients. Digits say nothing by their parts, so words of digits are left out."""
    places, columns, shares = [], [], []
    for i, word in enumerate(words):
        if not word.isdigit():
            found = find_buckets(word, buckets)
            places += [i] * len(found)
            columns += found
            shares += [1 / len(found)] * len(found)
    values = np.array(shares, np.float32)
    means = sp.csr_matrix((values, (places, columns)), (len(words), buckets))

    def apply(x):
        return means.T @ (means @ x) + RIDGE * x

    fitted = np.zeros((buckets, rows.shape[1]), np.float32)
    rest = means.T @ rows
    direction = rest.copy()
    square = (rest * rest).sum(0)
    for _ in range(STEPS):
        image = apply(direction)
        step = square / ((direction * image).sum(0) + 1e-12)
        fitted += step * direction
        rest -= step * image
        next_square = (rest * rest).sum(0)
        direction = rest + next_square / (square + 1e-12) * direction
        square = next_square
    return fitted
