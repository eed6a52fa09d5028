using Xunit.Abstractions;

namespace ApexShop.Simulation.Tests.Planted;

/// <summary>Each bug breaks one guarantee, and a few schedules find it.</summary>
public sealed class PlantedBugTests(ITestOutputHelper output)
{
    private const int MostSchedules = 500;

    public static TheoryData<string, string> Planted { get; } = new()
    {
        { nameof(CursorBeforeTheConfirm), "is not in the queue" },
        { nameof(MessageWithoutConfirmIsGivenUp), "is not in the queue" },
        { nameof(TagsAreNotStored), "shows commit" },
        { nameof(CheckpointIsNotStored), "as the log is at the checkpoint|is acknowledged and not applied" },
        { nameof(OneDocumentOfABatch), "as the log is at the checkpoint" },
        { nameof(HoleIsNotSeen), "as the log is at the checkpoint" },
        { nameof(ProjectorsWriteTogether), "goes back|as the log is at the checkpoint" },
        { nameof(AcknowledgedBeforeTheCommit), "is acknowledged and not applied" },
        { nameof(EndOfTheQueueIsNotSeen), "No rest" },
        { nameof(TagsOfAnotherBatchAreCleared), "is cleared and was not raised" },
        { nameof(TagsOfACrashAreNotRaised), "is cleared and was not raised|shows commit" },
        { nameof(RaiseWithoutAnnouncement), "is cleared and was not raised|shows commit" },
        { nameof(GenerationStaysTheSame), "shows commit" },
        { nameof(RaiseIsConfirmedAndLost), "is cleared and was not raised|shows commit" },
        { nameof(GenerationsAfterTheRead), "shows commit" },
        { nameof(TokenOfTheVersionBefore), "The documents have no" },
        { nameof(PendingTagsAreNotSeen), "two seconds after the change" },
    };

    [Theory]
    [MemberData(nameof(Planted))]
    public void A_planted_bug_is_found(string bug, string found)
    {
        for (var seed = 1; seed <= MostSchedules; seed++)
        {
            if (new Schedule(seed, Plant(bug)).Run() is not { } failure) continue;
            output.WriteLine($"{bug} is found by seed {seed}: {failure.Split('\n')[0]}");
            found.Split('|').ShouldContain(text => failure.Contains(text, StringComparison.Ordinal), failure);
            return;
        }

        throw new ShouldAssertException($"{bug} is not found by {MostSchedules} schedules.");
    }

    [Fact]
    public void Every_planted_bug_is_in_the_list() =>
        typeof(Bugs).Assembly.GetTypes().Where(type => type.BaseType == typeof(Bugs)).Select(type => type.Name)
            .ShouldBe(Planted.Select(row => (string)row[0]), ignoreOrder: true);

    private static Bugs Plant(string bug) =>
        (Bugs)Activator.CreateInstance(typeof(Bugs).Assembly.GetType($"{typeof(Bugs).Namespace}.{bug}")!)!;
}
