"""Nothing but a place: what these tests share is found from here, also by the referee in its folder."""
