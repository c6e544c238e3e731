"""The methods: one step each, and what they share: geometry, the problem, its solution, what is recorded."""
