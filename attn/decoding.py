r"""Decoding: words come one at a time, and what earlier words answer and hand out is kept, not computed again."""

from __future__ import annotations

import numpy as np

from attn._checks import Floats, fits, floats
from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask


class KVCache:
    r"""Keys and values of the words so far.

    Under a causal mask no later word changes what an earlier one answers, so row t of $K = XW^K$ and $V = XW^V$ is
    final once word t is there. Queries are not kept: nobody asks an old question again. Room doubles when it is full,
    so that n words cost O(n) copies in all.

    Raises
    ------
    ValueError
        By `append`: keys or values whose shapes do not continue those before.

    Examples
    --------
    >>> import numpy as np
    >>> cache = KVCache()
    >>> for t in range(3):
    ...     K, V = cache.append(np.full((1, 4), float(t)), np.full((1, 2), float(t)))
    >>> print(len(cache), K.shape, V[:, 0], cache.nbytes)
    3 (3, 4) [0. 1. 2.] 144
    """

    def __init__(self) -> None:
        self._length = 0
        self._keys: Floats | None = None
        self._values: Floats | None = None

    def __len__(self) -> int:
        return self._length

    @property
    def nbytes(self) -> int:
        """Bytes of the keys and values kept, 2·n·d numbers a layer and head, without the room for more."""
        stores = [store for store in (self._keys, self._values) if store is not None]
        return sum(store[..., : self._length, :].nbytes for store in stores)

    def append(self, K: Floats, V: Floats) -> tuple[Floats, Floats]:
        """Keep the keys and values of further words, and give those of all words so far.

        Parameters
        ----------
        K : array (..., t, d_k)
            Keys of t further words.
        V : array (..., t, d_v)
            Their values.

        Returns
        -------
        K : array (..., n, d_k)
            Keys of all n words so far: a view that cannot be written to.
        V : array (..., n, d_v)
            Their values, likewise.
        """
        K, V = floats("K", K, axes=2), floats("V", V, axes=2)
        fits("V", V, "K", K, axes=(-2, -2))
        new = K.shape[-2]
        keys = _with_room("K", self._keys, self._length, K)
        values = _with_room("V", self._values, self._length, V)
        keys[..., self._length : self._length + new, :] = K
        values[..., self._length : self._length + new, :] = V
        self._keys, self._values, self._length = keys, values, self._length + new
        K, V = keys[..., : self._length, :], values[..., : self._length, :]
        K.flags.writeable = V.flags.writeable = False
        return K, V


def _with_room(name: str, store: Floats | None, length: int, rows: Floats) -> Floats:
    """Return a store of the first `length` rows with room for these, twice as large as before if it was full."""
    new = rows.shape[-2]
    if store is None:
        return np.empty_like(rows)
    if (*rows.shape[:-2], rows.shape[-1]) != (*store.shape[:-2], store.shape[-1]) or rows.dtype != store.dtype:
        kept = (*store.shape[:-2], length, store.shape[-1])
        raise ValueError(f"{name}: {rows.dtype} of shape {rows.shape} does not continue {store.dtype} of shape {kept}")
    if length + new <= store.shape[-2]:
        return store
    larger = np.empty((*store.shape[:-2], max(2 * store.shape[-2], length + new), store.shape[-1]), store.dtype)
    larger[..., :length, :] = store[..., :length, :]
    return larger


def decode(Q: Floats, K: Floats, V: Floats, cache: KVCache, scale: float | None = None) -> Floats:
    r"""Attend from the newest words to all words so far.

    $z_t = \operatorname{softmax}(q_t K_{\le t}^\top / \sqrt{d_k})\, V_{\le t}$

    Word by word, or a few at a time, this gives the rows of one full pass under `causal_mask`, for n·d multiply-adds
    a word instead of n²·d.

    Parameters
    ----------
    Q, K : array (..., t, d_k)
        Queries and keys of the t newest words.
    V : array (..., t, d_v)
        Their values.
    cache : KVCache
        What earlier words answer and hand out; the newest are added to it.
    scale : float, optional
        As in `scaled_dot_product_attention`.

    Returns
    -------
    array (..., t, d_v)
        One average of the values for each of the newest words.

    Raises
    ------
    ValueError, OverflowError
        As `scaled_dot_product_attention`; keys or values that do not continue those in the cache.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import causal_mask, scaled_dot_product_attention
    >>> X, cache = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), KVCache()
    >>> steps = np.concatenate([decode(x, x, x, cache) for x in np.split(X, 3)])
    >>> print(np.allclose(steps, scaled_dot_product_attention(X, X, X, causal_mask(3))))
    True
    """
    Q, K = floats("Q", Q, axes=2), floats("K", K, axes=2)
    fits("K", K, "Q", Q, axes=(-2, -2))
    fits("K", K, "Q", Q, axes=(-1, -1))
    keys, values = cache.append(K, V)
    return scaled_dot_product_attention(Q, keys, values, causal_mask(Q.shape[-2], len(cache)), scale)
