"""A far-domain collection: abstracts of an invented biomedicine, with questions like BioASQ's.

BioASQ task B (Tsatsaronis et al. 2015) asks experts' questions about PubMed abstracts; its factoid
questions name a gene, a drug or a disease and ask for one other name or number, with synonyms
accepted. Here genes, compounds, diseases and trials are invented, as people are in the main
collection, and their names look like those of the field: most words of these passages are in no
passage that a retriever was trained on.
"""
