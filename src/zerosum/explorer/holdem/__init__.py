"""The routes that only hold'em has.

spots            check, save and load spots and ranges
spot_links       encode a spot in a link
walk             a line of a solved spot: its decision, the next cards, both ranges, as text
json_columns     the decision table, reports and ranges as JSON
locks            edit a decision, lock it and solve again, compare two runs
reports          a decision on every next card; the reports of the workspace
report_task      a report over flops, as a background task
training         deal hands, grade answers, show the score
training_store   trainings in the workspace, one file per run
"""
