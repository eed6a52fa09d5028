using System.Buffers;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>What stands at the front of the bytes received so far.</summary>
internal enum SplitResult
{
    Item,
    More,
    End,
    NoList,
}

/// <summary>Cuts a list into its items; text that is no JSON ends in a JsonException that names its place.</summary>
internal interface IItemSplitter
{
    /// <summary>Lines that ended before the text in which an exception counts its own.</summary>
    long LinesBefore { get; }

    /// <summary>Takes the next item, and what separates it from the one before, off the front.</summary>
    SplitResult Next(ref ReadOnlySequence<byte> received, bool isAll, out ReadOnlySequence<byte> item);
}
