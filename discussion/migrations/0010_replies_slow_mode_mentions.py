
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('discussion', '0008_authors_and_takedowns'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='SavedReply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=80, unique=True)),
                ('text', models.TextField(max_length=500)),
                ('changed_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['title'],
                'default_permissions': (),
            },
        ),
        migrations.RemoveConstraint(
            model_name='notice',
            name='notice_about_one_thing',
        ),
        migrations.AddField(
            model_name='notice',
            name='mention',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='mention_notices', to='discussion.comment'),
        ),
        migrations.AddField(
            model_name='threadstate',
            name='slow_minutes',
            field=models.PositiveSmallIntegerField(default=0, help_text='One person may post once in so many minutes; 0: as often as anywhere.'),
        ),
        migrations.AlterField(
            model_name='logentry',
            name='act',
            field=models.CharField(choices=[('approve', 'approved'), ('reject', 'rejected'), ('spam', 'marked as spam'), ('edit-out', 'edited'), ('lock', 'thread locked'), ('unlock', 'thread unlocked'), ('slow', 'slow mode changed'), ('suspend', 'author suspended'), ('reverse', 'reversed')], max_length=10),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('appeal', None), ('comment', None), ('entry__isnull', False), ('mention', None)), models.Q(('appeal', None), ('comment__isnull', False), ('entry', None), ('mention', None)), models.Q(('appeal__isnull', False), ('comment', None), ('entry', None), ('mention', None)), models.Q(('appeal', None), ('comment', None), ('entry', None), ('mention__isnull', False)), _connector='OR'), name='notice_about_one_thing'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('mention', 'user'), name='notice_of_mention_once'),
        ),
        migrations.AddField(
            model_name='savedreply',
            name='changed_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
    ]
