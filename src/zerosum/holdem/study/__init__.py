"""Questions that are asked of solved spots.

line_steps     the steps of a line: decisions with their frequencies, cards, the end
runouts        one decision on every card that can come next
report_table   the table of a report: a row per card, flop or variant, and the mean
report         a report, and its file; reports over the cards of a line
report_runner  make a report from a saved run, over many flops, or over variants
report_plot    draw a report
comparison     two solutions at the same decision
diff           the decisions and hands at which two solutions differ most
lock_draft     a decision being edited before it is locked
training       deal hands, ask for actions, grade them by the EV they lose
"""
