import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The tables take the words of the pages. The server has to stand still for it; see the changelog of 0.2.0."""

    dependencies = [("practice", "0009_learner_exam")]

    operations = [
        migrations.RenameModel("Bookmark", "Star"),
        migrations.RemoveConstraint("star", "bookmark_once"),
        migrations.AddConstraint("star", models.UniqueConstraint(fields=("learner", "question"), name="star_once")),
        migrations.RenameField("standing", "sections", "domains"),
        migrations.AlterField(
            model_name='practicesession',
            name='ended',
            field=models.CharField(blank=True, choices=[('handed_in', 'submitted'), ('time', 'time ran out')], max_length=10),
        ),
        migrations.AlterField(
            model_name='practicesession',
            name='feedback_each',
            field=models.BooleanField(default=False, help_text='A drill that marks each answer at once.'),
        ),
        migrations.AlterField(
            model_name='star',
            name='learner',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stars', to='practice.learner'),
        ),
    ]
