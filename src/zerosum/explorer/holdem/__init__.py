"""The endpoints that only hold'em has.

spots         check, save and share spots and ranges
walk          a line of a solved spot: its decision, the next cards, both ranges, as text
json_columns  the decision table, reports and ranges as JSON
locks         edit a decision, lock it and solve again, compare two runs
reports       a decision on every next card, and reports over flops as background tasks
training      deal hands, grade answers, show the score
"""
