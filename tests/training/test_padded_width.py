"""Widths that training batches are padded to."""

from hypothesis import given
from hypothesis import strategies as st

from ecqg.training.device import padded_width


@given(st.integers(1, 500), st.none() | st.integers(1, 600))
def test_a_multiple_of_eight_that_the_model_has_positions_for(longest, limit) -> None:
    width = padded_width(longest, limit)
    assert longest <= width < longest + 8
    if limit is None or limit >= longest + 7:
        assert width % 8 == 0
    elif limit >= longest:
        assert width <= limit
