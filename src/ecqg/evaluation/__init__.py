"""Does a passage answer a question, how often do the top k, and do two systems differ?"""
