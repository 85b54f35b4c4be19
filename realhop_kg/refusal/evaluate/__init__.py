"""Runs of models on questions without an answer: agents, judges, measures, reports."""
