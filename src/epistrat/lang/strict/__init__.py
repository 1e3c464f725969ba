"""What MCMAS 1.3.0 would refuse: every extension of the language is an error of its own."""
