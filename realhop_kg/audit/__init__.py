"""Audits items by deleting evidence: interventions, answers, judgements, measures, reports."""
