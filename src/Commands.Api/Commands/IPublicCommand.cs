namespace ApexShop.Commands.Api.Commands;

/// <summary>A command that anyone may send, whether as a customer or not: it does not read who the caller is.</summary>
internal interface IPublicCommand;
