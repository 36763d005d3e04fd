"""Study solved spots: lines, reports, comparisons, locks and training.

line_steps     the steps of a line with their frequencies, and the cards that can come after it
report_table   the table of a report: a row per card, flop or variant, and their mean
report         a report, its file and its plot; reports on the cards of a line
report_runner  choose the flops, cards or variants of a report, solve them and collect the rows
comparison     two solutions at the same decision
diff           the decisions and hands at which two strategies differ most
lock_draft     a decision that is edited before it is locked
training       deal hands, ask for actions, grade them by the EV they lose
"""
