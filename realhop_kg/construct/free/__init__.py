"""Reads steps that no catalogue relation covers, by the form of the question.

A free relation lives for one item: it is made from the words of the step as the composed question
voices them, with near-misses of its form. Forms are few and strict; what fits none is refused.

Not part of the pipeline yet: read aloud, some of its near-misses entail what they should miss, and
kinds and negations are not checked well enough. A refused item is right, a wrong one a defect.
"""
