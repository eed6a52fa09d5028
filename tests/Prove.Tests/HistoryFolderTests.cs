using ApexShop.Prove.Checks;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests;

public sealed class HistoryFolderTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("apexshop-history-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public async Task A_list_without_documents_is_empty_after_it_was_written_and_read()
    {
        var header = new RunHeader(1, 1, 1, "none", Base: 0, Exclusive: true, FaultsDone: 0)
            { Format = RunHeader.Current };
        var rest = new RestState { Views = [new("queries /stream", Kinds.Reviews, [], [])] };

        await HistoryFolder.WriteAsync(folder.FullName, header, [new Attempt { Operation = "products.get" }], [], rest);
        var history = await HistoryFolder.ReadAsync(folder.FullName, CancellationToken.None);

        var view = history.Rest.Views.ShouldHaveSingleItem();
        view.Documents.ShouldBeEmpty();
        view.Deleted.ShouldNotBeNull().ShouldBeEmpty();
        history.Attempts.ShouldHaveSingleItem().Seen.ShouldBeEmpty();
        RestCheck.Find(history).ShouldBeEmpty();
    }
}
