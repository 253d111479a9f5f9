"""What is done with texts whoever wrote them: the form field they come in, word differences, formulas."""
